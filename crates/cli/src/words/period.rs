//! Messages about sequences of nimbers.

use balpan_games::phrases;

phrases! {
    head(code: &str, largest: &str): "{code}, heaps of up to {largest} tokens", "{code}, 돌 {largest}개까지의 더미";
    proved(length: &str, from: &str):
        "The nimbers have period {length} from heaps of {from} on, which is proved for all.",
        "그런디 수는 돌 {from}개짜리 더미부터 주기 {length}으로 되풀이되며, 모든 더미에 대해 증명되었습니다.";
    cut_short(to: &str): "There was no time for heaps of up to {to} tokens.", "시간이 모자라 {to}개까지 다 알아내지 못했습니다.";
    open:
        "No period is proved by these heaps; a longer sequence may tell.",
        "이 더미들만으로는 주기가 증명되지 않습니다. 더 긴 수열이면 증명될 수도 있습니다.";
    /// Nimbers that grow arithmetically as far as they were computed.
    grows(length: usize, from: usize, by: u32):
        "From heaps of {from} on, each nimber is that of the heap smaller by {length}, and {by} more, as far as these heaps go. Of larger ones \
         nothing is proved.",
        "돌 {from}개짜리 더미부터는 돌이 {length}개 적은 더미보다 그런디 수가 {by}만큼 큽니다. 이 더미들까지는 그렇지만, 더 큰 더미에 대해서는 \
         증명된 것이 없습니다.";
    exceptions(heaps: &str):
        "Before that, the heaps that the period does not tell: {heaps}.",
        "그 앞에서 주기에 맞지 않는 더미: {heaps}.";
    largest(nimber: u32, heap: usize):
        "The largest nimber is {nimber}, first of a heap of {heap}.",
        "가장 큰 그런디 수는 {nimber}이고, 돌 {heap}개짜리 더미에서 처음 나옵니다.";
    more: "--csv prints all of them.", "--csv로 전부 볼 수 있습니다.";
}
