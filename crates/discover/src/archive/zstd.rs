//! Zstandard streams of any number of frames: parallel compressors write many, and skippable ones between them.

use std::fmt;
use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

pub(super) struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
    is_inside_frame: bool,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(packed: R) -> Self {
        Self { packed, decoder: FrameDecoder::new(), is_inside_frame: false }
    }

    /// Moves to the next frame with content; false at the end of the stream.
    fn enter_frame(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => {
                    self.is_inside_frame = true;
                    return Ok(true);
                },
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let mut skipped = (&mut self.packed).take(length);
                    if io::copy(&mut skipped, &mut io::sink())? != length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                },
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.is_inside_frame || self.enter_frame()? {
            // One block at a time keeps what is unpacked ahead of the reader small.
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one_block = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder
                    .decode_blocks(&mut self.packed, one_block)
                    .map_err(io::Error::other)?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            self.is_inside_frame = false;
        }
        Ok(0)
    }
}

impl<R> fmt::Debug for Frames<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frames")
            .field("is_inside_frame", &self.is_inside_frame)
            .finish_non_exhaustive()
    }
}
