// Enhances pages that work without it: keys, dragging, copying, filling in. Every move is a link.

// The element stays the same while the page fills in.
const board = document.querySelector("#board");
const follow = (link) => link && location.assign(link.href?.baseVal ?? link.href);

// Keys: `u` undoes, `n` plays the next move of the best line, `Escape` clears the picked
// cells; arrows go from cell to cell of the board.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  // In a tree, these keys scroll.
  if (event.target.matches(".tree-picture") && /^(Arrow|Home|End)/.test(event.key)) return;
  const link = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (link) {
    event.preventDefault();
    follow(link);
  } else if (event.key.startsWith("Arrow") && board) {
    const next = neighbour(event.key, document.activeElement);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }
});

/** Returns the nearest link of the board in the direction of an arrow key. */
function neighbour(key, from) {
  const links = [...board.querySelectorAll("a.move")];
  if (!links.includes(from)) return links[0];
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const middle = (link) => {
    const box = link.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let nearest = Infinity;
  for (const link of links) {
    const [ax, ay] = middle(link);
    const along = (ax - x) * dx + (ay - y) * dy;
    const aside = Math.abs((ax - x) * dy) + Math.abs((ay - y) * dx);
    if (along > 1 && along + 3 * aside < nearest) {
      nearest = along + 3 * aside;
      best = link;
    }
  }
  return best;
}

// Pointing at a move in the list highlights its cells, and the other way round.
const cellsOf = (move) => move.split("+");
const linksOf = (cell) => board?.querySelectorAll(`a[data-cell="${cell}"], a[data-move="${CSS.escape(cell)}"]`) ?? [];
for (const link of document.querySelectorAll("#moves a[data-move]")) {
  const show = (near) => () => cellsOf(link.dataset.move).forEach((cell) => linksOf(cell).forEach((other) => other.classList.toggle("near", near)));
  for (const [event, near] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    link.addEventListener(event, show(near));
  }
}

// Dragging over the cells of a piece places it; dragging a token to a cell moves it there.
if (board) {
  let dragged = null;
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#board a.move");
  board.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const link = event.target.closest("a.move");
    const cells = new Set([...board.querySelectorAll("a.picked")].map((picked) => picked.dataset.cell));
    if (link?.dataset.cell) cells.add(link.dataset.cell);
    dragged = { link, cells, far: false };
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  });
  board.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const link = under(event);
    if (link === dragged.link || !link) return;
    dragged.far = true;
    // The ghost of a piece follows the pointer.
    if (link.querySelector(".ghost")) {
      board.querySelectorAll(".placing .near").forEach((other) => other.classList.remove("near"));
      link.classList.add("near");
    }
    if (link.dataset.cell) {
      dragged.cells.add(link.dataset.cell);
      link.classList.add("near");
    }
  });
  document.addEventListener("pointerup", (event) => {
    const drag = dragged;
    dragged = null;
    if (!drag?.far) return;
    const link = under(event);
    if (!link) return;
    const click = (ended) => ended.preventDefault();
    board.addEventListener("click", click, { capture: true, once: true });
    setTimeout(() => board.removeEventListener("click", click, { capture: true }));
    if (!link.dataset.cell) return follow(link);
    const order = (cell) => cell.split(",").map(Number);
    const cells = [...drag.cells].sort((a, b) => order(a)[0] - order(b)[0] || order(a)[1] - order(b)[1]);
    const move = document.querySelector(`#moves a[data-move="${CSS.escape(cells.join("+"))}"]`);
    if (move) return follow(move);
    const url = new URL(location);
    url.searchParams.set("pick", cells.join("+"));
    location.assign(url);
  });
  // Dragging a token or a cell must not scroll the page. Browsers ignore `touch-action` on elements
  // of a picture; elsewhere on the board, a finger scrolls.
  let holds = false;
  board.addEventListener("touchstart", (event) => (holds = !!event.target.closest(".token, a[data-cell], .placing a")), { passive: true });
  board.addEventListener("touchmove", (event) => holds && event.cancelable && event.preventDefault(), { passive: false });
  // Disables the browser's own dragging of links and pictures.
  board.addEventListener("dragstart", (event) => event.preventDefault());
}

// A raw `#` of a position ends the address for the browser: it belongs to the query.
if (location.hash && /[?&]at=/.test(location.search) && !document.getElementById(location.hash.slice(1))) {
  location.replace(location.href.replaceAll("#", "%23"));
}

// The tree is scrolled to the node that the search is at, or to its root.
const tree = document.querySelector(".tree-picture");
const node = tree?.querySelector(".t-current") ?? tree?.querySelector(".t-root");
if (node) {
  const [box, at] = [tree.getBoundingClientRect(), node.getBoundingClientRect()];
  tree.scrollLeft += at.x + at.width / 2 - box.x - box.width / 2;
  if (tree.querySelector(".t-current") && (at.top < 0 || at.bottom > innerHeight)) scrollTo({ top: scrollY + at.top - innerHeight / 2 });
}

// Puts this server's address into the snippet for other sites.
function ownAddress(page) {
  const snippet = page.querySelector("#snippet");
  if (snippet) snippet.textContent = snippet.textContent.replace("http://127.0.0.1:8000", location.origin);
}
ownAddress(document);

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).textContent.trim());
    button.textContent = button.dataset.copied;
  });
}

// Fills in a page whose answer is incomplete, from events of the server.
const play = document.querySelector("[data-events]");
if (play) followAnswer();

function followAnswer() {
  const events = new EventSource(play.dataset.events);
  // The position is left behind, so that the next one need not wait for it; a download leaves it here.
  addEventListener("beforeunload", () => { events.close(); setTimeout(followAnswer, 5000); }, { once: true });
  events.addEventListener("more", (event) => {
    const { title, html, end, go } = JSON.parse(event.data);
    if (end || go) events.close();
    if (go) return location.replace(go);
    document.title = title;
    fillIn(html);
  });
  events.addEventListener("further", (event) => {
    const { text, done } = JSON.parse(event.data);
    const bar = document.querySelector("#waiting progress");
    if (!bar) return;
    document.querySelector("#told").textContent = text;
    if (done === null) bar.removeAttribute("value");
    else bar.value = done;
  });
  events.addEventListener("error", () => {
    // Else the browser reconnects by itself.
    if (events.readyState !== EventSource.CLOSED) return;
    setTimeout(ask, 2000);
  });
}

// Reloads a page of many answers until all are complete.
if (document.querySelector("[data-again]")) setTimeout(askAgain, 2000);

async function askAgain() {
  try {
    const answer = await fetch(location, { headers: { accept: "text/html" } });
    const now = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (answer.ok && now) become(document.querySelector("main"), now);
  } catch {
    // The server may be unreachable for a while.
  }
  if (document.querySelector("[data-again]")) setTimeout(askAgain, 2000);
}

/** Reloads the content if the server has too many followers for events. */
async function ask() {
  try {
    const answer = await fetch(location, { headers: { accept: "text/html" } });
    if (answer.redirected) return location.replace(answer.url);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.querySelector(".play");
    if (!now?.dataset.events) return location.reload();
    document.title = page.title;
    fillIn(now.innerHTML);
  } catch {
    // The server may be unreachable for a while.
  }
  setTimeout(ask, 2000);
}

function fillIn(html) {
  const now = document.createElement("div");
  now.innerHTML = html;
  ownAddress(now);
  become(play, now);
}

/** Updates an element with few changes, so that focus, listeners and scroll positions stay. */
function become(old, now) {
  const [from, to] = [[...old.childNodes], [...now.childNodes]];
  const isLike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.id === b.id;
  if (from.length !== to.length || !from.every((child, n) => isLike(child, to[n]))) return old.replaceChildren(...to);
  from.forEach((child, n) => {
    const other = to[n];
    if (child.nodeType !== Node.ELEMENT_NODE) {
      if (child.data !== other.data) child.data = other.data;
      return;
    }
    for (const { name } of [...child.attributes]) {
      // Keeps what the script has set and what the reader has unfolded.
      if (!other.hasAttribute(name) && name !== "hidden" && name !== "open") child.removeAttribute(name);
    }
    for (const { name, value } of other.attributes) {
      if (name !== "hidden" && child.getAttribute(name) !== value) child.setAttribute(name, value);
    }
    become(child, other);
  });
}

// Solved puzzles are kept by the browser, and ticked.
const puzzles = document.querySelectorAll("[data-puzzle]");
if (puzzles.length) {
  const solved = new Set(JSON.parse(localStorage.getItem("solved") ?? "[]"));
  for (const puzzle of puzzles) {
    if (puzzle.dataset.solved !== undefined) localStorage.setItem("solved", JSON.stringify([...solved.add(puzzle.dataset.puzzle)]));
    const tick = puzzle.querySelector(".tick");
    if (!tick || !solved.has(puzzle.dataset.puzzle)) continue;
    puzzle.classList.add("solved");
    tick.hidden = false;
  }
}
