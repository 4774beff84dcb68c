//! Puts facts into bytes.

use std::ops::Range;

use gik_base::collections::HashMap;

use super::{
    Capsule, Declaration, HAS_RECEIVER, LONG, OTHER, ROLE_BITS, ROLES, ReferenceRow, SCOPE_KINDS,
    ScopeRow,
};

pub(super) fn capsules(out: &mut Vec<u8>, capsules: &[Capsule]) {
    number(out, capsules.len() as u64);
    let mut next_symbol = 0;
    let mut container = "";
    let mut words: HashMap<&str, u64> = HashMap::default();
    for capsule in capsules {
        number(out, capsule.declarations.len() as u64);
        for declaration in &capsule.declarations {
            match declaration {
                Declaration::Symbol(place) => {
                    number(out, zigzag(i64::from(*place) - next_symbol) + 1);
                    next_symbol = i64::from(*place) + 1;
                },
                Declaration::Text(line) => {
                    number(out, 0);
                    text(out, line);
                },
            }
        }
        if capsule.container == container {
            number(out, 0);
        } else {
            container = &capsule.container;
            number(out, container.len() as u64 + 1);
            out.extend(container.as_bytes());
        }
        let imports = capsule.imports.split(' ').filter(|_| !capsule.imports.is_empty());
        number(out, imports.clone().count() as u64);
        for import in imports {
            let fresh = words.len() as u64 + 1;
            match *words.entry(import).or_insert(fresh) {
                place if place == fresh => {
                    number(out, 0);
                    text(out, import);
                },
                place => number(out, place),
            }
        }
    }
}

pub(super) fn reference(out: &mut Vec<u8>, reference: &ReferenceRow) {
    let Range { start, end } = reference.name;
    let length = end.wrapping_sub(start);
    let marks = (reference.role & ROLES) << ROLE_BITS
        | if reference.receiver.is_some() { HAS_RECEIVER } else { 0 };
    out.push(marks | length.min(LONG) as u8);
    if length >= LONG {
        number(out, u64::from(length - LONG));
    }
    if let Some(receiver) = &reference.receiver {
        let length = u64::from(receiver.end.wrapping_sub(receiver.start));
        let distance = i64::from(start) - i64::from(receiver.start);
        let apart = distance.cast_unsigned().wrapping_sub(length).wrapping_sub(1).min(OTHER);
        number(out, length << 2 | apart);
        if apart == OTHER {
            number(out, zigzag(distance));
        }
    }
}

pub(super) fn scopes(out: &mut Vec<u8>, scopes: &[ScopeRow]) {
    number(out, scopes.len() as u64);
    let mut last = 0;
    for scope in scopes {
        let places = [&scope.name, &scope.from, &scope.alias];
        let mut marks = scope.kind & SCOPE_KINDS;
        for (bit, place) in (5..).zip(places) {
            marks |= u8::from(place.is_some()) << bit;
        }
        out.push(marks);
        for place in places.into_iter().flatten() {
            number(out, zigzag(i64::from(place.start) - last));
            number(out, u64::from(place.end.wrapping_sub(place.start)));
            last = i64::from(place.start);
        }
    }
}

pub(crate) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend(text.as_bytes());
}

pub(crate) fn number(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let byte = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            return out.push(byte);
        }
        out.push(byte | 0x80);
    }
}
