//! Iteration over the positions of a file, and comparison of two files.

use std::cmp::Ordering;

use crate::probe::table::{Prober, Table, TableError};
use crate::probe::values::Values;

/// A position of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its layer.
    pub layer: u32,
    /// Its key.
    pub key: u128,
    /// Its code: see [`Header::value`](crate::Header::value).
    pub code: u16,
}

/// An iterator over the positions of a file: the highest layer first, by ascending keys within a
/// layer.
#[derive(Debug)]
pub struct Walk<'t, B> {
    table: &'t Table<B>,
    prober: Prober,
    /// The layer to visit; `None` for all.
    only: Option<u32>,
    at: usize,
    block: u64,
    keys: Vec<u128>,
    codes: Vec<u16>,
    within: usize,
}

impl<B: AsRef<[u8]>> Table<B> {
    /// Iterates over all positions, or those of one layer.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn walk(&self, only: Option<u32>) -> Result<Walk<'_, B>, TableError> {
        Ok(Walk {
            table: self,
            prober: Prober::new()?,
            only,
            at: 0,
            block: 0,
            keys: Vec::new(),
            codes: Vec::new(),
            within: 0,
        })
    }
}

impl<B: AsRef<[u8]>> Iterator for Walk<'_, B> {
    type Item = Result<Entry, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        let header = self.table.header();
        loop {
            let layer = header.layers.get(self.at)?;
            if let (Some(&key), Some(&code)) = (self.keys.get(self.within), self.codes.get(self.within)) {
                self.within += 1;
                return Some(Ok(Entry { layer: layer.layer, key, code }));
            }
            if self.block == layer.blocks(header.block) || self.only.is_some_and(|only| only != layer.layer) {
                (self.at, self.block) = (self.at + 1, 0);
                self.keys.clear();
                continue;
            }
            self.within = 0;
            if let Err(e) = self.prober.read_block(self.table, self.at, self.block, &mut self.keys, &mut self.codes) {
                // The iteration ends after an error.
                self.at = header.layers.len();
                return Some(Err(e));
            }
            self.block += 1;
        }
    }
}

/// A position at which two files differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The position is in the first file only.
    First(Entry),
    /// The position is in the second file only.
    Second(Entry),
    /// The position is in both files, with this code in the second.
    Code(Entry, u16),
}

/// Calls `found` for every position at which two files differ, in the order of
/// [`walk`](Table::walk), until it returns `false`.
///
/// # Errors
/// If a file is damaged.
pub fn differences<A: AsRef<[u8]>, B: AsRef<[u8]>>(
    one: &Table<A>,
    other: &Table<B>,
    mut found: impl FnMut(Difference) -> bool,
) -> Result<(), TableError> {
    let (mut ones, mut others) = (one.walk(None)?, other.walk(None)?);
    let (mut first, mut second) = (ones.next().transpose()?, others.next().transpose()?);
    loop {
        let order = match (first, second) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => other.layer.cmp(&one.layer).then(one.key.cmp(&other.key)),
        };
        let difference = match (first, second) {
            (Some(one), _) if order == Ordering::Less => Some(Difference::First(one)),
            (_, Some(other)) if order == Ordering::Greater => Some(Difference::Second(other)),
            (Some(one), Some(other)) if one.code != other.code => Some(Difference::Code(one, other.code)),
            _ => None,
        };
        if difference.is_some_and(|difference| !found(difference)) {
            return Ok(());
        }
        if order != Ordering::Greater {
            first = ones.next().transpose()?;
        }
        if order != Ordering::Less {
            second = others.next().transpose()?;
        }
    }
}

/// Calls `found` for every position whose code in the file without keys differs, with that code
/// (`None` if the file lacks the layer), until `found` returns `false`.
///
/// # Errors
/// If a file is damaged.
pub fn value_differences<A: AsRef<[u8]>, B: AsRef<[u8]>>(
    table: &Table<A>,
    values: &Values<B>,
    mut found: impl FnMut(Entry, Option<u16>) -> bool,
) -> Result<(), TableError> {
    for entry in table.walk(None)? {
        let entry = entry?;
        let code = values.code(entry.layer, entry.key)?;
        if code != Some(entry.code) && !found(entry, code) {
            break;
        }
    }
    Ok(())
}
