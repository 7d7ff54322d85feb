"use strict";
// Draws the latest message, whatever came before it, and never lets an old picture look live.

const SILENCE_MS = 6000;
const LETTER = { banker: "B", player: "P", tie: "T" };
const SUIT = {
  H: "M50 90C20 64 6 48 6 30C6 15 17 7 28 7C38 7 46 13 50 22C54 13 62 7 72 7C83 7 94 15 94 30C94 48 80 64 50 90Z",
  D: "M50 4Q66 28 88 50Q66 72 50 96Q34 72 12 50Q34 28 50 4Z",
  S: "M50 4C62 24 94 40 94 61C94 74 84 81 74 81C66 81 59 77 55 71Q57 87 68 95H32Q43 87 45 71C41 77 34 81 26 81C16 81 6 74 6 61C6 40 38 24 50 4Z",
  C: "M50 5A20 20 0 0 1 66 37A21 21 0 1 1 55 69Q57 86 67 95H33Q43 86 45 69A21 21 0 1 1 34 37A20 20 0 0 1 50 5Z",
};
const STAR = "M0-7L1.9-2.3L7-2.1L3 1.1L4.4 6L0 3.1L-4.4 6L-3 1.1L-7-2.1L-1.9-2.3Z";
const BANNERS = {
  starting: "connecting to the table",
  stale: "no connection to the table – please follow the dealer",
  fault: "the table's messages cannot be read – please follow the dealer",
  lost: "no connection to the display service – please follow the dealer",
};

const build = document.querySelector('meta[name="build"]').content;
const byId = (id) => document.getElementById(id);

function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function html(name, className, ...children) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

function setText(id, text) {
  if (byId(id).textContent !== String(text)) byId(id).textContent = text;
}

// Boards

function board(columns, rows, cell, label) {
  const size = { viewBox: `0 0 ${columns * cell} ${rows * cell}`, role: "img", "aria-label": label };
  let lines = "";
  for (let column = 1; column < columns; column += 1) lines += `M${column * cell} 0v${rows * cell}`;
  for (let row = 1; row < rows; row += 1) lines += `M0 ${row * cell}h${columns * cell}`;
  return svg("svg", size, svg("path", { class: "grid", d: lines }));
}

function cellGroup(kind, item, cell, data) {
  const middle = `translate(${(item.column + 0.5) * cell} ${(item.row + 0.5) * cell})`;
  const group = svg("g", { class: kind, transform: middle });
  for (const [key, value] of Object.entries(data)) group.setAttribute(`data-${key}`, value);
  return group;
}

function latestCell(cell) {
  const half = cell / 2 - 1;
  return svg("rect", { class: "latest", x: -half, y: -half, width: half * 2, height: half * 2, rx: 5 });
}

function beadMark(bead) {
  const parts = [svg("circle", { class: "fill", r: bead.no_bet ? 15.5 : 19 })];
  if (bead.no_bet) parts.push(svg("circle", { class: "no-bet", r: 20 }));
  parts.push(svg("text", { class: "bead-letter", y: 8 }, LETTER[bead.outcome]));
  if (bead.banker_pair) parts.push(svg("circle", { class: "pair banker", cx: -15, cy: -15, r: 6 }));
  if (bead.player_pair) parts.push(svg("circle", { class: "pair player", cx: 15, cy: 15, r: 6 }));
  if (bead.natural) parts.push(svg("path", { class: "natural", d: STAR, transform: "translate(15 -15)" }));
  return parts;
}

function drawPlate(picture, fresh) {
  const cell = 48;
  const drawing = board(picture.plate_columns, 6, cell, "Bead plate");
  picture.beads.forEach((bead, place) => {
    const group = cellGroup(`bead ${bead.outcome}`, bead, cell, { coup: bead.coup, row: bead.row, column: bead.column });
    const newest = place === picture.beads.length - 1;
    if (newest) group.append(latestCell(cell));
    const mark = svg("g", { class: `${bead.outcome}${newest && fresh ? " fresh" : ""}` }, ...beadMark(bead));
    group.append(mark);
    drawing.append(group);
  });
  byId("plate").replaceChildren(drawing);
}

function ringMark(ring) {
  const parts = [];
  if (ring.winner !== "tie") {
    parts.push(svg("circle", { class: "ring", r: 14.5 }));
    parts.push(svg("text", { class: "ring-letter", y: 6 }, LETTER[ring.winner]));
  }
  if (ring.ties) parts.push(svg("line", { class: "slash", x1: -13, y1: 13, x2: 13, y2: -13 }));
  if (ring.ties > 1) {
    parts.push(svg("circle", { class: "ties-back", cx: 11, cy: 11, r: 9 }));
    parts.push(svg("text", { class: "ties", x: 11, y: 16.5 }, ring.ties));
  }
  return parts;
}

function drawRoad(picture) {
  const cell = 40;
  const drawing = board(picture.road_columns, 6, cell, "Big road");
  picture.rings.forEach((ring, place) => {
    const data = { row: ring.row, column: ring.column, ties: ring.ties };
    const group = cellGroup(`big ${ring.winner}`, ring, cell, data);
    if (place === picture.rings.length - 1) group.append(latestCell(cell));
    group.append(...ringMark(ring));
    drawing.append(group);
  });
  byId("road").replaceChildren(drawing);
}

// Cards

function faceUp(card) {
  const suit = card.slice(-1);
  const rank = card.slice(0, -1);
  const colour = suit === "H" || suit === "D" ? "red" : "black";
  const corner = () => [
    svg("text", { class: `rank ${colour}`, x: 46, y: 78 }, rank),
    svg("path", { class: colour, d: SUIT[suit], transform: "translate(24 92) scale(0.44)" }),
  ];
  return [
    svg("rect", { class: "face", width: 250, height: 350, rx: 20 }),
    ...corner(),
    svg("g", { transform: "rotate(180 125 175)" }, ...corner()),
    svg("path", { class: colour, d: SUIT[suit], transform: "translate(65 115) scale(1.2)" }),
  ];
}

function faceDown() {
  let lattice = "";
  for (let step = -300; step <= 250; step += 30) lattice += `M${step} 0l350 350M${step + 300} 0l-350 350`;
  return [
    svg("rect", { class: "back", x: 5, y: 5, width: 240, height: 340, rx: 18 }),
    svg("svg", { x: 22, y: 22, width: 206, height: 306, viewBox: "22 22 206 306" }, svg("path", { class: "back-line", d: lattice })),
    svg("rect", { class: "back-line", x: 22, y: 22, width: 206, height: 306, rx: 8 }),
  ];
}

function cardPicture(card, className) {
  const parts = card === undefined
    ? [svg("rect", { class: "place", x: 4, y: 4, width: 242, height: 342, rx: 18 })]
    : card === null ? faceDown() : faceUp(card);
  const label = card === undefined ? "no card" : card ?? "card face down";
  return svg("svg", { class: className, viewBox: "0 0 250 350", role: "img", "aria-label": label, "data-card": card ?? "" }, ...parts);
}

function drawHand(name, hand) {
  const cards = [0, 1].map((place) => cardPicture(hand.cards[place], hand.cards.length > place ? "card" : "card slot"));
  if (hand.cards.length > 2) cards.push(cardPicture(hand.cards[2], "card third"));
  byId(`${name}-cards`).replaceChildren(...cards);
  setText(`${name}-points`, hand.points ?? "");
}

function drawResult(result, fresh) {
  const box = byId("result");
  box.className = `result ${result?.outcome ?? "none"}`;
  if (!result) return box.replaceChildren();
  const call = html("div", fresh ? "call fresh" : "call", result.text);
  if (result.score) call.append(html("b", "", result.score));
  const tags = result.tags.map((tag) => html("span", "tag", tag));
  return box.replaceChildren(call, html("div", "tags", ...tags));
}

// Words and figures

function drawCounts(counts) {
  for (const [name, number] of Object.entries(counts)) setText(`n-${name}`, number);
  let left = 0;
  const bars = ["banker", "tie", "player"].map((name) => {
    const share = counts.coups ? counts[name] / counts.coups : 0;
    setText(`s-${name}`, counts.coups ? `${Math.round(share * 100)} %` : "");
    const bar = svg("rect", { class: `bar ${name}`, x: left, width: share * 100, height: 1 });
    left += share * 100;
    return bar;
  });
  byId("share").replaceChildren(svg("svg", { viewBox: "0 0 100 1", preserveAspectRatio: "none" }, ...bars));
}

function drawLegends() {
  const key = (text, ...parts) => html("li", "", svg("svg", { viewBox: "-10 -10 20 20" }, ...parts), text);
  byId("legend").replaceChildren(
    key("Banker pair", svg("circle", { class: "pair banker", r: 7 })),
    key("Player pair", svg("circle", { class: "pair player", r: 7 })),
    key("Natural", svg("path", { class: "natural", d: STAR, transform: "scale(1.25)" })),
    key("No-bet coup", svg("circle", { class: "no-bet", r: 8 })),
  );
  byId("road-legend").replaceChildren(
    key("Tie", svg("line", { class: "slash", x1: -7, y1: 7, x2: 7, y2: -7 })),
  );
}

let drawn = "";
let lastResult = null;

function draw(picture) {
  const text = JSON.stringify(picture);
  if (text === drawn) return;
  const newest = picture.beads.at(-1);
  const result = newest ? `${picture.shoe}/${newest.coup}/${newest.outcome}` : "";
  const fresh = lastResult !== null && result !== lastResult && result !== "";
  lastResult = result;
  setText("title", picture.title);
  document.title = picture.title ? `${picture.title} – baccarat trend display` : "Baccarat trend display";
  setText("status", picture.status.text);
  byId("status").dataset.code = picture.status.code;
  setText("shoe", picture.shoe ?? "–");
  setText("coup", picture.coup ?? "–");
  setText("caption", picture.felt.caption);
  byId("notes").replaceChildren(...picture.notes.map((note) => html("li", "", note)));
  drawHand("player", picture.felt.player);
  drawHand("banker", picture.felt.banker);
  byId("waiting").replaceChildren(...Array.from({ length: picture.felt.waiting }, () => cardPicture(null, "card")));
  drawResult(picture.felt.result, fresh);
  drawCounts(picture.counts);
  drawPlate(picture, fresh);
  drawRoad(picture);
  drawn = text;
}

// The stream

let source = null;
let heardAt = 0;

function setLive(state) {
  if (document.body.dataset.live === state) return;
  document.body.dataset.live = state;
  byId("banner").hidden = state === "live" || state === "starting";
  setText("banner-text", BANNERS[state] ?? "");
  setText("lamp-text", state === "live" ? "Live" : state === "starting" ? "Wait" : "Old");
}

function receive(event) {
  const message = JSON.parse(event.data);
  if (message.build !== build) {
    source.close();
    location.reload();
    return;
  }
  draw(message.picture);
  heardAt = performance.now();
  setLive(message.feed);
}

function connect() {
  source?.close();
  source = new EventSource("live");
  source.onmessage = receive;
}

// An EventSource gives up for good after some answers, and may wait for ever on a dead connection.
function watch() {
  const silent = performance.now() - heardAt > SILENCE_MS;
  if (silent) setLive("lost");
  if (source.readyState === EventSource.CLOSED || (silent && performance.now() - askedAt > SILENCE_MS)) {
    askedAt = performance.now();
    connect();
  }
}

let askedAt = performance.now();
heardAt = askedAt;
drawLegends();
connect();
setInterval(watch, 1000);
