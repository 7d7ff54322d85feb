// Print every event of one audience once and in order: npm install zeromq@6; node follow.js PUB ROUTER AUDIENCE
const zmq = require("zeromq");
const [pubAt, routerAt, audience] = process.argv.slice(2);
const pub = new zmq.Subscriber(), router = new zmq.Dealer({ receiveTimeout: 5000 });
let journal = null, last = 0n; // keep both with your data

function take([topic, header, body], asked) {
  const from = header.subarray(0, 16).toString("hex"), seq = header.readBigUInt64BE(16);
  if (from !== journal && !asked) return null; // an old row may linger in PUB: only the ROUTER brings a new journal
  if (from !== journal) [journal, last] = [from, 0n];
  if (seq === last + 1n && !topic.includes("/heartbeat/")) {
    console.log(body.toString());
    last = seq;
  }
  return seq;
}

async function fetchMissing() { // the last known row comes first: it proves the journal
  const known = last;
  await router.send(JSON.stringify({ id: "1", after: Number(known > 0n ? known - 1n : 0n), limit: 500 }));
  for (let rows = 0; ; rows++) {
    const frames = await router.receive(); // throws where nobody answers: start again
    if (frames.length === 1) {
      const top = BigInt(JSON.parse(frames[0].toString()).top);
      if (!rows && top < known) [journal, last] = [null, 0n];
      return top;
    }
    take(frames, true);
  }
}

(async () => {
  pub.connect(pubAt), pub.subscribe(`${audience}/`), router.connect(routerAt);
  let top = await fetchMissing();
  while (last < top) top = await fetchMissing();
  for await (const frames of pub) {
    const seq = take(frames, false);
    top = seq === null ? await fetchMissing() : seq > top ? seq : top;
    while (last < top) top = await fetchMissing();
  }
})();
