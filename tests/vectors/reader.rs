//! Reads x87.json of the vectors in safe Rust, without crates, and computes it with f32 and f64:
//! `reader x87.json [CAPTURES]` prints what was compared and exits with 1 if anything differs.
//! CAPTURES are the lines of `python3 -m retropose.peers capture`, whose matrix hashes are
//! computed from their rotations and translations.
//!
//! f64 holds 53 of the 64 bits that fsin, fcos and fpatan give, so about one weight in a hundred
//! million comes out otherwise than on an x87 (docs/reference/x87.md); none of these does.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::process::exit;

// ---- JSON: what the files have ---------------------------------------------------------------

enum Json {
    Text(String),
    Number(f64),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn space(&mut self) {
        while self.bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.space();
        let there = self.bytes[self.at] == byte;
        self.at += usize::from(there);
        there
    }

    fn text(&mut self) -> String {
        assert!(self.take(b'"'));
        let start = self.at;
        while self.bytes[self.at] != b'"' {
            assert!(self.bytes[self.at] != b'\\', "no text of the files has escapes");
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8(self.bytes[start..self.at - 1].to_vec()).expect("UTF-8")
    }

    fn number(&mut self) -> f64 {
        let start = self.at;
        while b"+-.eE0123456789".contains(&self.bytes[self.at]) {
            self.at += 1;
        }
        std::str::from_utf8(&self.bytes[start..self.at]).unwrap().parse().expect("a number")
    }

    fn value(&mut self) -> Json {
        self.space();
        match self.bytes[self.at] {
            b'"' => Json::Text(self.text()),
            b'[' => {
                let mut list = Vec::new();
                self.at += 1;
                while !self.take(b']') {
                    list.push(self.value());
                    self.take(b',');
                }
                Json::List(list)
            }
            b'{' => {
                let mut object = BTreeMap::new();
                self.at += 1;
                while !self.take(b'}') {
                    let name = self.text();
                    assert!(self.take(b':'));
                    object.insert(name, self.value());
                    self.take(b',');
                }
                Json::Object(object)
            }
            _ => Json::Number(self.number()),
        }
    }
}

impl Json {
    fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(object) => object.get(name).unwrap_or_else(|| panic!("no {name}")),
            _ => panic!("{name} of no object"),
        }
    }

    fn list(&self, name: &str) -> &[Json] {
        match self.get(name) {
            Json::List(list) => list,
            _ => panic!("{name} is no list"),
        }
    }

    fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Json::Number(number) => *number,
            _ => panic!("{name} is no number"),
        }
    }

    fn index(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    fn integers(&self, name: &str) -> Vec<i64> {
        let whole = |item: &Json| match item {
            Json::Number(number) => *number as i64,
            _ => panic!("{name} has more than numbers"),
        };
        self.list(name).iter().map(whole).collect()
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        match self.get(name) {
            Json::Text(words) => words
                .split(' ')
                .map(|word| f32::from_bits(u32::from_str_radix(word, 16).expect("hexadecimal")))
                .collect(),
            _ => panic!("{name} is no text"),
        }
    }

    /// The floats of a capture: a list of texts.
    fn listed(&self, name: &str) -> Vec<f32> {
        let word = |item: &Json| match item {
            Json::Text(word) => f32::from_bits(u32::from_str_radix(word, 16).expect("hexadecimal")),
            _ => panic!("{name} has more than texts"),
        };
        self.list(name).iter().map(word).collect()
    }

    fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Json::Text(text) => text,
            _ => panic!("{name} is no text"),
        }
    }

    fn float(&self, name: &str) -> f32 {
        self.floats(name)[0]
    }
}

// ---- the functions ---------------------------------------------------------------------------

type Quaternion = [f32; 4];
type Vector = [f32; 3];
type Matrix = [f32; 16];

/// The nearest whole number of t - 0.5, halves to even, modulo 2^32.
fn frame_index(t: f32) -> u32 {
    let moved = f64::from(t - 0.5);
    if !(-9.223372036854775808e18..9.223372036854775808e18).contains(&moved) {
        return 0;
    }
    let floor = moved.floor();
    let rest = moved - floor;
    let up = rest > 0.5 || (rest == 0.5 && floor % 2.0 != 0.0);
    (floor as i64 + i64::from(up)) as u32
}

/// The x87's pi is this many units of 2^-66. Angles beyond pi/4 lose multiples of half of it.
const PI_66: u128 = 0xC_90FD_AA22_168C_234C;

/// The quarter of the circle in which an angle lies, and what is left of it.
fn reduced(x: f32) -> (u128, f64) {
    let size = f64::from(x.abs());
    if size <= std::f64::consts::FRAC_PI_4 {
        return (0, size);
    }
    // The angle in units of 2^-67, modulo a circle: its 24 bits, doubled as often as the exponent says.
    let (circle, quarter) = (4 * PI_66, PI_66);
    let mut units = u128::from(x.to_bits() & 0x7F_FFFF | 0x80_0000);
    for _ in 0..(x.to_bits() >> 23 & 0xFF) + 67 - 150 {
        units = 2 * units % circle;
    }
    let turns = (2 * units + quarter) / (2 * quarter);
    let rest = units as i128 - (turns * quarter) as i128;
    (turns, rest as f64 / 2f64.powi(67))
}

fn sine(x: f32) -> f64 {
    let (turns, rest) = reduced(x);
    let value = if turns & 1 == 1 { rest.cos() } else { rest.sin() };
    if (turns & 2 == 2) != (x < 0.0) { -value } else { value }
}

fn cosine(x: f32) -> f64 {
    let (turns, rest) = reduced(x);
    let value = if turns & 1 == 1 { rest.sin() } else { rest.cos() };
    if (turns + 1) & 2 == 2 { -value } else { value }
}

fn slerp(q0: Quaternion, q1: Quaternion, t: f32) -> Quaternion {
    let mut c = ((q0[0] * q1[0] + q0[1] * q1[1]) + q0[2] * q1[2]) + q0[3] * q1[3];
    let turned: f32 = if c < 0.0 { -1.0 } else { 1.0 };
    c *= turned;
    let (w0, mut w1);
    if 1.0 - c <= f32::from_bits(0x3727_C5AC) {
        w0 = 1.0 - t;
        w1 = t;
    } else {
        let root = ((1.0 + c) * (1.0 - c)).sqrt();
        let theta = f64::from(root).atan2(f64::from(c));
        let phi = (f64::from(t) * theta) as f32;
        let inverse = (1.0 / theta.sin()) as f32;
        w1 = (sine(phi) * f64::from(inverse)) as f32;
        w0 = (cosine(phi) - f64::from(w1 * c)) as f32;
    }
    w1 *= turned;
    std::array::from_fn(|i| w0 * q0[i] + w1 * q1[i])
}

/// What a value on the x87 stack becomes under the 24-bit word: its exponent is not that of an f32.
/// Sums and products of f32 are normal numbers of an f64, or zero.
fn on_stack(x: f64) -> f64 {
    let (bits, unit) = (x.to_bits(), 1u64 << 29);
    let (kept, rest) = (bits / unit, bits % unit);
    let up = rest > unit / 2 || (rest == unit / 2 && kept % 2 == 1);
    f64::from_bits((kept + u64::from(up)) * unit)
}

fn matrix(q: Quaternion, place: Vector) -> Matrix {
    let [w, x, y, z] = q.map(f64::from);
    let times = |a: f64, b: f64| on_stack(a * b);
    let twice = |sum: f64| 2.0 * on_stack(sum);
    let diagonal = |a, b| on_stack(1.0 - twice(times(a, a) + times(b, b))) as f32;
    let plus = |a, b, c, d| twice(times(a, b) + times(c, d)) as f32;
    let minus = |a, b, c, d| twice(times(a, b) - times(c, d)) as f32;
    [
        diagonal(y, z), plus(x, y, w, z), minus(x, z, w, y), place[0],
        minus(x, y, w, z), diagonal(x, z), plus(y, z, w, x), place[1],
        plus(x, z, w, y), minus(y, z, w, x), diagonal(x, y), place[2],
        0.0, 0.0, 0.0, 1.0,
    ]
}

fn product(a: &[f32], b: &[f32]) -> Matrix {
    std::array::from_fn(|at| {
        let (i, j) = (at / 4, at % 4);
        let term = |k: usize| a[4 * i + k] * b[4 * k + j];
        ((term(0) + term(1)) + term(2)) + term(3)
    })
}

struct Skeleton {
    parents: Vec<i64>,
    starts: Vec<i64>,
    fallbacks: Vec<i64>,
    positions: Vec<f32>,
    times: Vec<f32>,
    rotations: Vec<i64>,
    map: Vec<i64>,
    frame_count: u32,
}

impl Skeleton {
    fn new(case: &Json) -> Skeleton {
        Skeleton {
            parents: case.integers("parents"),
            starts: case.integers("map_starts"),
            fallbacks: case.integers("fallbacks"),
            positions: case.floats("key_positions"),
            times: case.floats("key_times"),
            rotations: case.integers("key_rotations"),
            map: case.integers("frame_map"),
            frame_count: case.number("frame_count") as u32,
        }
    }

    fn decode(&self, key: usize) -> (Quaternion, Vector) {
        let word = |i: usize| self.rotations[4 * key + i] as f32 * f32::from_bits(0x3800_0100);
        let place = std::array::from_fn(|i| self.positions[3 * key + i]);
        ([word(3), word(0), word(1), word(2)], place)
    }

    fn sample(&self, node: usize, t: f32) -> (Quaternion, Vector) {
        let (frame, fallback) = (frame_index(t), self.fallbacks[node]);
        if frame >= self.frame_count || self.starts[node] == 65535 {
            return self.decode(fallback as usize);
        }
        let word = self.map[self.starts[node] as usize + frame as usize];
        let k = word as usize;
        if word >= fallback {
            return self.decode(fallback as usize);
        }
        if t == self.times[k] || t == self.times[k + 1] {
            return self.decode(k + usize::from(t != self.times[k]));
        }
        let alpha = (t - self.times[k]) / (self.times[k + 1] - self.times[k]);
        let ((q0, p0), (q1, p1)) = (self.decode(k), self.decode(k + 1));
        let place = std::array::from_fn(|i| p0[i] + (p1[i] - p0[i]) * alpha);
        (slerp(q0, q1, alpha), place)
    }

    fn blend(&self, node: usize, t_a: f32, t_b: f32, weight: f32) -> Matrix {
        let (has_a, has_b) = (weight < 1.0 && t_a >= 0.0, weight > 0.0 && t_b >= 0.0);
        if !(has_a && has_b) {
            let (q, place) = self.sample(node, if has_a { t_a } else { t_b });
            return matrix(q, place);
        }
        let ((qa, pa), (mut qb, pb)) = (self.sample(node, t_a), self.sample(node, t_b));
        let square = |sign: f32, i: usize| {
            let part = qa[i] + sign * qb[i];
            part * part
        };
        let length = |sign| ((square(sign, 0) + square(sign, 1)) + square(sign, 2)) + square(sign, 3);
        if length(1.0) < length(-1.0) {
            qb = qb.map(|part| -part);
        }
        let place = std::array::from_fn(|i| (1.0 - weight) * pa[i] + weight * pb[i]);
        matrix(slerp(qa, qb, weight), place)
    }

    fn pose(&self, t: f32, zero_root: bool) -> Vec<f32> {
        let mut matrices: Vec<Matrix> = Vec::new();
        for (node, &parent) in self.parents.iter().enumerate() {
            let (q, place) = self.sample(node, t);
            let local = matrix(q, if node == 0 && zero_root { [0.0; 3] } else { place });
            let whole = if parent == 65535 { local } else { product(&matrices[parent as usize], &local) };
            matrices.push(whole);
        }
        matrices.concat()
    }
}

// ---- comparing -------------------------------------------------------------------------------

#[derive(Default)]
struct Tally {
    compared: u32,
    different: u32,
}

impl Tally {
    fn take(&mut self, what: &str, expected: &[f32], found: &[f32]) {
        self.compared += 1;
        if expected.iter().map(|x| x.to_bits()).ne(found.iter().map(|x| x.to_bits())) {
            self.different += 1;
            println!("{what}: expected {expected:?}, found {found:?}");
        }
    }
}

/// FNV-1a of 64 bits over the sixteen words, the lowest byte of each first.
fn matrix_hash(m: &Matrix) -> u64 {
    let bytes = m.iter().flat_map(|word| word.to_bits().to_le_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn check_captures(path: &str, tally: &mut Tally) {
    let text = std::fs::read_to_string(path).expect("a file");
    for line in text.lines() {
        let capture = Parser { bytes: format!("{line} ").as_bytes(), at: 0 }.value();
        assert_eq!(capture.text("schema_version"), "fparkan-stage4-capture-v1");
        let (turn, place) = (capture.listed("rotation_bits"), capture.listed("translation_bits"));
        let m = matrix([turn[3], turn[0], turn[1], turn[2]], [place[0], place[1], place[2]]);
        tally.compared += 1;
        if format!("{:016x}", matrix_hash(&m)) != capture.text("matrix_hash") {
            tally.different += 1;
            println!("frame_id {}: another matrix_hash", capture.number("frame_id"));
        }
    }
}

fn quaternion(values: &[f32]) -> Quaternion {
    std::array::from_fn(|i| values[i])
}

fn main() {
    let path = std::env::args().nth(1).expect("the path of x87.json");
    let text = std::fs::read(path).expect("a file");
    let root = Parser { bytes: &text, at: 0 }.value();
    let mut tally = Tally::default();
    for case in root.list("frame_index") {
        let (expected, found) = (case.number("frame") as u32, frame_index(case.float("t")));
        tally.take("frame", &[f32::from_bits(expected)], &[f32::from_bits(found)]);
    }
    for case in root.list("slerp") {
        let (q0, q1) = (quaternion(&case.floats("q0")), quaternion(&case.floats("q1")));
        tally.take("slerp", &case.floats("out"), &slerp(q0, q1, case.float("t")));
    }
    for case in root.list("sine_cosine") {
        let angle = case.float("angle");
        tally.take("sine", &case.floats("sine"), &[sine(angle) as f32]);
        tally.take("cosine", &case.floats("cosine"), &[cosine(angle) as f32]);
    }
    for case in root.list("reciprocal_root") {
        tally.take("root", &case.floats("out"), &[1.0 / case.float("x").sqrt()]);
    }
    for case in root.list("matrix") {
        let place = case.floats("translation");
        let found = matrix(quaternion(&case.floats("q")), [place[0], place[1], place[2]]);
        tally.take("matrix", &case.floats("matrix"), &found);
        tally.take("product", &case.floats("product"), &product(&case.floats("before"), &found));
    }
    let skeletons: Vec<Skeleton> = root.list("skeletons").iter().map(Skeleton::new).collect();
    for case in root.list("sample") {
        let (q, place) = skeletons[case.index("skeleton")].sample(case.index("node"), case.float("t"));
        tally.take("sample", &case.floats("quaternion"), &q);
        tally.take("sample", &case.floats("position"), &place);
    }
    for case in root.list("blend") {
        let skeleton = &skeletons[case.index("skeleton")];
        let (a, b) = (case.float("t_a"), case.float("t_b"));
        let found = skeleton.blend(case.index("node"), a, b, case.float("weight"));
        tally.take("blend", &case.floats("matrix"), &found);
    }
    for case in root.list("pose") {
        let skeleton = &skeletons[case.index("skeleton")];
        let found = skeleton.pose(case.float("t"), case.index("zero_root") == 1);
        tally.take("pose", &case.floats("matrices"), &found);
    }
    if tally.compared == 0 {
        println!("there is nothing to compare");
        exit(2);
    }
    if let Some(captures) = std::env::args().nth(2) {
        check_captures(&captures, &mut tally);
    }
    println!("{} results compared, {} different", tally.compared, tally.different);
    exit(i32::from(tally.different > 0));
}
