//! The wire format of protobuf: numbered fields, one after the other.

/// Why a message cannot be read: where in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// The byte of the file.
    pub at: usize,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'b> {
    Number(u64),
    /// With the place of its first byte in the file.
    Bytes(&'b [u8], usize),
}

/// The fields of a message.
pub(super) struct Fields<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Where the message starts in the file.
    start: usize,
}

impl<'b> Fields<'b> {
    pub(super) fn new(bytes: &'b [u8], start: usize) -> Self {
        Self { bytes, at: 0, start }
    }

    fn broken(&self) -> Broken {
        Broken { at: self.start + self.at }
    }

    fn number(&mut self) -> Result<u64, Broken> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.broken())?;
            self.at += 1;
            if shift < 64 {
                value |= u64::from(byte & 0x7f) << shift;
            }
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.broken())
    }

    fn take(&mut self, length: u64) -> Result<(&'b [u8], usize), Broken> {
        let start = self.at;
        let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length));
        let taken = end.and_then(|end| self.bytes.get(start..end)).ok_or_else(|| self.broken())?;
        self.at += taken.len();
        Ok((taken, self.start + start))
    }

    /// The next field: its number and what it holds.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Value<'b>)>, Broken> {
        if self.at >= self.bytes.len() {
            return Ok(None);
        }
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => Value::Number(self.number()?),
            1 => self.take(8).map(|(bytes, at)| Value::Bytes(bytes, at))?,
            2 => {
                let length = self.number()?;
                let (bytes, at) = self.take(length)?;
                Value::Bytes(bytes, at)
            },
            5 => self.take(4).map(|(bytes, at)| Value::Bytes(bytes, at))?,
            _ => return Err(self.broken()),
        };
        Ok(Some((tag >> 3, value)))
    }
}

/// Numbers packed one after the other.
pub(super) fn packed(bytes: &[u8], at: usize) -> Result<Vec<u64>, Broken> {
    let mut fields = Fields::new(bytes, at);
    let mut numbers = Vec::new();
    while fields.at < bytes.len() {
        numbers.push(fields.number()?);
    }
    Ok(numbers)
}
