// Counts what was compared, and how far apart it was.

const SHOWN = 10;
const NAMES = {
  pose: "poses", bnds: "bounds", segm: "segments", walk: "walk faces", marg: "walk faces with margin",
  push: "push-outs", insd: "points inside",
};
const QUERIES = ["segm", "walk", "marg", "push", "insd"];
// The largest share that numbers or queries of a kind may have. One in 32 of the questions with
// inexact numbers is aimed at a corner or an edge, where rounding decides, which is where different
// answers come from.
const WIDE = 1e-3, MOST_WIDE = 5e-3; // bounds that say little, relative to 1 and to the number
const MOST_OTHER = 1e-2; // answers that are not plain binary64's, ...
const MOST_APART = 5e-3; // ... and not of a face that shares a corner with binary64's
const MOST_LOOSE = 0.15, MOST_GIVEN_UP = 2e-3; // push-outs with many outcomes

class Count {
  constructor(owner, tag) {
    Object.assign(this, {
      owner, tag, asked: 0, hits: 0, ties: 0, other: 0, apart: 0, loose: 0, givenUp: 0, wrong: 0, numbers: 0, distance: 0,
      share: 0, same: 0, wide: 0,
    });
  }

  // Compares a number with one that has a bound. Returns false if it is too far away.
  close(found, expected) {
    const distance = Math.abs(found - expected.v);
    if (!(distance <= expected.e) && !(Object.is(found, expected.v))) return false;
    this.numbers++;
    if (distance === 0) this.same++;
    if (expected.e > WIDE * (1 + Math.abs(expected.v))) this.wide++;
    if (expected.e === Infinity || expected.e === 0) return true;
    this.distance = Math.max(this.distance, distance);
    this.share = Math.max(this.share, distance / expected.e);
    return true;
  }

  allClose(found, expected) {
    return found.every((value, i) => this.close(value, expected[i]));
  }

  fail(what, details) {
    if (this.wrong++ >= SHOWN) return;
    console.log(`WRONG ${NAMES[this.tag]}: scene ${this.owner.scenes - 1}: ${what}`);
    for (const [name, value] of Object.entries(details ?? {}))
      console.log(`    ${name}: ${JSON.stringify(value)}`);
  }
}

export class Tally {
  constructor() {
    this.counts = new Map(Object.keys(NAMES).map((tag) => [tag, new Count(this, tag)]));
    this.scenes = 0;
  }

  beginScene() { this.scenes++; }
  of(tag) { return this.counts.get(tag); }

  // Whether so much was wrong that nothing more would be shown of it.
  get isLost() { return [...this.counts.values()].some((c) => c.wrong > SHOWN); }

  // Returns true if nothing was wrong.
  report(leastQueries) {
    const all = [...this.counts.values()], share = (part, whole) => `${((100 * part) / (whole || 1)).toFixed(3)} %`;
    for (const c of all) {
      console.log(`${NAMES[c.tag]}: ${c.asked} asked, ${c.hits} hits, ${c.wrong} wrong`);
      if (c.ties)
        console.log(`    ${c.ties} ties (${share(c.ties, c.asked)}); at ${c.other} the other answer ` +
          `(${share(c.other, c.asked)}), of faces that are no neighbours at ${c.apart} (${share(c.apart, c.asked)})`);
      if (c.loose + c.givenUp)
        console.log(`    ${c.loose} compared loosely (${share(c.loose, c.asked)}), ${c.givenUp} given up`);
      if (c.numbers)
        console.log(`    ${c.numbers} numbers: ${share(c.same, c.numbers)} exact, farthest ` +
          `${c.distance.toExponential(1)}, at most ${(100 * c.share).toFixed(0)} % of the bound; bounds above ` +
          `${WIDE} of ${share(c.wide, c.numbers)}`);
    }
    const queries = QUERIES.map((tag) => this.of(tag));
    const asked = queries.reduce((sum, c) => sum + c.asked, 0);
    const complaints = all.filter((c) => c.wrong).map((c) => `${c.wrong} wrong ${NAMES[c.tag]}`);
    for (const c of queries) {
      if (c.other > c.asked * MOST_OTHER) complaints.push(`too many ties of ${NAMES[c.tag]}`);
      if (c.apart > c.asked * MOST_APART) complaints.push(`too many ties apart of ${NAMES[c.tag]}`);
      if (c.wide > c.numbers * MOST_WIDE) complaints.push(`too many wide bounds of ${NAMES[c.tag]}`);
      if (c.loose > c.asked * MOST_LOOSE) complaints.push(`too many ${NAMES[c.tag]} compared loosely`);
      if (c.givenUp > c.asked * MOST_GIVEN_UP) complaints.push(`too many ${NAMES[c.tag]} given up`);
      if (c.asked && !c.hits) complaints.push(`no ${NAMES[c.tag]} hit anything`);
    }
    if (asked < leastQueries) complaints.push(`only ${asked} queries`);
    console.log(`${this.scenes} scenes, ${asked} queries: ${complaints.join(", ") || "all as expected"}`);
    return complaints.length === 0;
  }
}
