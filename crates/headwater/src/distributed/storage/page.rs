//! Byte format of the fields of a subdomain in page stores and checkpoints, and the numbers that
//! identify the fields.

use crate::distributed::block::fields::fields_mut;
use crate::distributed::storage::pack::{pack_words, unpack_words};
use crate::field::Field;
use crate::flow::observe::flood::FloodCell;
use crate::flow::sources::soil::SoilCell;
use crate::flow::state::ClosedCells;
use crate::flow::world::Flow;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io;
use std::ops::Range;

/// Numbers that identify the fields of a subdomain in storage, and properties of these fields.
pub(in crate::distributed) mod slot {
    use crate::lattice::Lattice;

    pub(in crate::distributed) const BED: usize = 0;
    pub(in crate::distributed) const CLOSED: usize = 1;
    pub(in crate::distributed) const ROUGHNESS: usize = 2;
    /// Number of the first field that time steps change. The other such fields have the next
    /// numbers, in the order of [`fields`](crate::distributed::block::fields::fields).
    pub(in crate::distributed) const WATER: usize = 3;
    pub(in crate::distributed) const RAIN: usize = 10;
    pub(in crate::distributed) const EVAPORATION: usize = 11;
    pub(in crate::distributed) const SOIL: usize = 12;
    pub(in crate::distributed) const MARKS: usize = 13;
    pub(in crate::distributed) const RAIN_MAP: usize = 14;
    pub(in crate::distributed) const SOIL_MAP: usize = 15;

    /// Returns whether time steps change the field with the given number.
    pub(in crate::distributed) fn is_dynamic(field: usize) -> bool {
        (WATER..RAIN_MAP).contains(&field)
    }

    /// Returns whether the values of the field with the given number lie on the faces between rows
    /// of cells. Such fields are the discharge along y and, on hexagonal grids, the discharge along
    /// z.
    pub(in crate::distributed) fn is_on_row_faces(lattice: &Lattice, field: usize) -> bool {
        field == WATER + 3 || lattice.is_hex() && field == WATER + 4
    }

    /// Returns the number of 32-bit words in an element of the field with the given number. The
    /// first words of all elements are stored as one list, the second words as another.
    pub(in crate::distributed) fn words_per_element(field: usize) -> usize {
        match field {
            SOIL => 4,
            MARKS => 10,
            _ => 1,
        }
    }

    /// Returns the number of columns and rows of the field with the given number.
    pub(in crate::distributed) fn shape(lattice: &Lattice, field: usize) -> [usize; 2] {
        // Fields on x- and z-faces have an extra column; fields on faces between rows have an extra
        // row.
        let slanted = lattice.is_hex() && field == WATER + 4;
        let nx = lattice.nx() + usize::from(field == WATER + 2 || slanted);
        [nx, lattice.ny() + usize::from(is_on_row_faces(lattice, field))]
    }
}

/// Returns the error for damaged bytes in the storage.
pub(in crate::distributed) fn damaged_bytes_error() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the stored bytes of a row block are damaged")
}

/// Field as lists of 32-bit words. This form is independent of the element type.
#[derive(Clone, Debug)]
pub(in crate::distributed) struct RawField {
    /// Number of elements in a row.
    width: usize,
    /// Words of the elements. List `i` contains word `i` of every element, in row-major order of
    /// the elements.
    lists: Vec<Vec<u32>>,
}

impl RawField {
    /// Creates a field from its lists of words. `width` is the number of elements in a row.
    pub(in crate::distributed) fn new(width: usize, lists: Vec<Vec<u32>>) -> Self {
        Self { width, lists }
    }

    /// Returns the number of rows of the field.
    pub(in crate::distributed) fn height(&self) -> usize {
        self.lists[0].len() / self.width
    }

    /// Returns the first 32-bit word of each element, in row-major order.
    pub(in crate::distributed) fn first_list(&self) -> &[u32] {
        &self.lists[0]
    }

    /// Reduces the field to a range of its rows; `None` if the range is out of bounds.
    pub(in crate::distributed) fn into_rows(mut self, rows: Range<usize>) -> Option<Self> {
        let range = rows.start * self.width..rows.end * self.width;
        if rows.end > self.height() {
            return None;
        }
        for list in &mut self.lists {
            list.truncate(range.end);
            list.drain(..range.start);
        }
        Some(self)
    }

    /// Copies a range of rows into a new field; `None` if the range is out of bounds.
    pub(in crate::distributed) fn copy_rows(&self, rows: Range<usize>) -> Option<Self> {
        if rows.end > self.height() {
            return None;
        }
        let range = rows.start * self.width..rows.end * self.width;
        let lists = self.lists.iter().map(|list| list.get(range.clone()).map(<[u32]>::to_vec));
        Some(Self { width: self.width, lists: lists.collect::<Option<_>>()? })
    }

    /// Returns whether the field has `lists` words per element, and `height` rows of `width`
    /// elements.
    pub(in crate::distributed) fn has_shape(
        &self,
        width: usize,
        height: usize,
        lists: usize,
    ) -> bool {
        let is_complete = |list: &Vec<u32>| Some(list.len()) == width.checked_mul(height);
        self.width == width && self.lists.len() == lists && self.lists.iter().all(is_complete)
    }

    /// Iterates over the elements of the field, converted to the type `T`.
    pub(in crate::distributed) fn elements<T: WordElement>(&self) -> impl Iterator<Item = T> {
        (0..self.lists[0].len()).map(|i| {
            let mut words = T::Array::default();
            let all = words.as_mut().iter_mut().zip(&self.lists);
            all.for_each(|(word, list)| *word = list[i]);
            T::from_words(words)
        })
    }

    /// Compresses the lists of the field and appends them to `bytes`.
    pub(in crate::distributed) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(self.width as u64).to_le_bytes());
        bytes.extend_from_slice(&(self.lists.len() as u64).to_le_bytes());
        self.lists.iter().for_each(|list| pack_words(list, bytes));
    }

    /// Reads a field from bytes that [`write`](Self::write) has appended; `None` if the bytes are
    /// invalid.
    pub(in crate::distributed) fn read(bytes: &[u8]) -> Option<Self> {
        let (width, rest) = bytes.split_first_chunk()?;
        let (count, mut rest) = rest.split_first_chunk()?;
        let width = usize::try_from(u64::from_le_bytes(*width)).ok()?;
        let mut lists = Vec::new();
        for _ in 0..u64::from_le_bytes(*count) {
            let (list, after) = unpack_words(rest)?;
            lists.push(list);
            rest = after;
        }
        let is_valid = width > 0 && lists.iter().all(|list| list.len().is_multiple_of(width));
        (is_valid && !lists.is_empty()).then_some(Self { width, lists })
    }

    /// Creates a [`Field`] of `values` with as many columns as this field; `None` if the number of
    /// values does not match the shape.
    fn field_of_same_width<T>(&self, values: Vec<T>) -> Option<Field<T>> {
        Field::from_vec(self.width, values.len() / self.width, values).ok()
    }
}

/// Appends the same bytes as [`RawField::write`] to `bytes`, but keeps only one list of words in
/// memory at a time.
fn write_elements<T: WordElement>(field: &Field<T>, bytes: &mut Vec<u8>) {
    let count = T::Array::default().as_ref().len();
    bytes.extend_from_slice(&(field.nx() as u64).to_le_bytes());
    bytes.extend_from_slice(&(count as u64).to_le_bytes());
    for i in 0..count {
        let list: Vec<u32> = field.as_slice().iter().map(|t| t.to_words().as_ref()[i]).collect();
        pack_words(&list, bytes);
    }
}

/// Type of field elements, each of which is stored as one or more 32-bit words.
pub(in crate::distributed) trait WordElement: Copy {
    /// Array that contains the words of one element.
    type Array: Default + AsRef<[u32]> + AsMut<[u32]>;

    /// Converts the element to its words.
    fn to_words(self) -> Self::Array;

    /// Creates an element from its words.
    fn from_words(words: Self::Array) -> Self;
}

/// Serializes the field as a byte string of compressed lists.
impl Serialize for RawField {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        to.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for RawField {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(from)?;
        Self::read(bytes).ok_or_else(|| D::Error::custom(damaged_bytes_error()))
    }
}

/// Splits the bit pattern of a number into a high and a low word.
fn split_f64(number: f64) -> [u32; 2] {
    let bits = number.to_bits();
    [(bits >> 32) as u32, bits as u32]
}

/// Creates a number from the high and low words of its bit pattern.
fn join_f64([high, low]: [u32; 2]) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

impl WordElement for SoilCell {
    type Array = [u32; 4];

    fn to_words(self) -> [u32; 4] {
        let [high, low] = split_f64(self.held);
        [high, low, self.to_take.to_bits(), self.to_give.to_bits()]
    }

    fn from_words([high, low, to_take, to_give]: [u32; 4]) -> Self {
        let [to_take, to_give] = [to_take, to_give].map(f32::from_bits);
        Self { held: join_f64([high, low]), to_take, to_give }
    }
}

/// The element is the index of a soil. It is stored as one word.
impl WordElement for u16 {
    type Array = [u32; 1];

    fn to_words(self) -> [u32; 1] {
        [self.into()]
    }

    fn from_words([word]: [u32; 1]) -> Self {
        word as Self
    }
}

impl WordElement for FloodCell {
    type Array = [u32; 10];

    fn to_words(self) -> [u32; 10] {
        let (singles, [before, since]) = self.to_arrays();
        let [a, b, c, d, e, f] = singles.map(f32::to_bits);
        let ([g, h], [i, j]) = (split_f64(before), split_f64(since));
        [a, b, c, d, e, f, g, h, i, j]
    }

    fn from_words([a, b, c, d, e, f, g, h, i, j]: [u32; 10]) -> Self {
        Self::from_arrays(
            [a, b, c, d, e, f].map(f32::from_bits),
            [join_f64([g, h]), join_f64([i, j])],
        )
    }
}

/// Mutable reference to a stored field of a subdomain, with one variant for each element type.
pub(in crate::distributed) enum StoredField<'a> {
    Numbers(&'a mut Field<f32>),
    Closed(&'a mut ClosedCells),
    Soil(&'a mut Field<SoilCell>),
    Marks(&'a mut Field<FloodCell>),
    Soils(&'a mut Field<u16>),
}

impl StoredField<'_> {
    /// Copies a range of rows of the field as 32-bit words; `None` if the range is out of bounds.
    pub(in crate::distributed) fn copy_rows(&self, rows: Range<usize>) -> Option<RawField> {
        fn place<T>(field: &Field<T>, rows: &Range<usize>) -> Range<usize> {
            rows.start * field.nx()..rows.end * field.nx()
        }
        fn split_into_word_lists<T: WordElement>(
            field: &Field<T>,
            rows: &Range<usize>,
        ) -> Option<RawField> {
            let elements = field.as_slice().get(place(field, rows))?;
            let count = T::Array::default().as_ref().len();
            let mut lists = vec![Vec::with_capacity(elements.len()); count];
            for element in elements {
                let words = element.to_words();
                lists.iter_mut().zip(words.as_ref()).for_each(|(list, word)| list.push(*word));
            }
            Some(RawField { width: field.nx(), lists })
        }
        let (width, list) = match self {
            Self::Numbers(field) => {
                let numbers = field.as_slice().get(place(field, &rows))?;
                (field.nx(), bytemuck::cast_slice(numbers).to_vec())
            }
            Self::Closed(closed) => {
                let cells = closed.cells();
                let all = cells.as_slice().get(place(cells, &rows))?.iter();
                (cells.nx(), all.map(|&closed| u32::from(closed)).collect())
            }
            Self::Soil(field) => return split_into_word_lists(field, &rows),
            Self::Marks(field) => return split_into_word_lists(field, &rows),
            Self::Soils(field) => return split_into_word_lists(field, &rows),
        };
        Some(RawField { width, lists: vec![list] })
    }

    /// Replaces rows of the field by those in `raw`, starting at row `first`. Returns `None` if the
    /// new rows do not fit into the field.
    pub(in crate::distributed) fn set_rows(self, first: usize, raw: &RawField) -> Option<()> {
        fn place<'a, T>(
            field: &'a mut Field<T>,
            first: usize,
            raw: &RawField,
        ) -> Option<&'a mut [T]> {
            let place = first * raw.width..(first + raw.height()) * raw.width;
            let fits = field.nx() == raw.width;
            field.as_mut_slice().get_mut(place).filter(|_| fits)
        }
        fn elements<T: WordElement>(
            field: &mut Field<T>,
            first: usize,
            raw: &RawField,
        ) -> Option<()> {
            if raw.lists.len() != T::Array::default().as_ref().len() {
                return None;
            }
            let own = place(field, first, raw)?.iter_mut();
            own.zip(raw.elements()).for_each(|(own, new)| *own = new);
            Some(())
        }
        match self {
            Self::Numbers(field) => {
                place(field, first, raw)?.copy_from_slice(bytemuck::cast_slice(&raw.lists[0]));
            }
            Self::Closed(closed) => {
                let mut cells = closed.cells().clone();
                let own = place(&mut cells, first, raw)?.iter_mut();
                own.zip(&raw.lists[0]).for_each(|(own, new)| *own = *new == 1);
                *closed = ClosedCells::from(cells);
            }
            Self::Soil(field) => elements(field, first, raw)?,
            Self::Marks(field) => elements(field, first, raw)?,
            Self::Soils(field) => elements(field, first, raw)?,
        }
        Some(())
    }

    /// Compresses the values of the field and appends them to `bytes`.
    pub(in crate::distributed) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            // The words are compressed without an intermediate copy.
            Self::Numbers(field) => {
                bytes.extend_from_slice(&(field.nx() as u64).to_le_bytes());
                bytes.extend_from_slice(&1_u64.to_le_bytes());
                pack_words(bytemuck::cast_slice(field.as_slice()), bytes);
            }
            Self::Closed(closed) => {
                let all = self.copy_rows(0..closed.cells().ny());
                all.iter().for_each(|raw| raw.write(bytes));
            }
            Self::Soil(field) => write_elements(field, bytes),
            Self::Marks(field) => write_elements(field, bytes),
            Self::Soils(field) => write_elements(field, bytes),
        }
    }

    /// Makes the field empty and frees its memory.
    pub(in crate::distributed) fn clear(self) {
        match self {
            Self::Numbers(field) => *field = Field::default(),
            Self::Closed(closed) => *closed = ClosedCells::from(Field::default()),
            Self::Soil(field) => *field = Field::default(),
            Self::Marks(field) => *field = Field::default(),
            Self::Soils(field) => *field = Field::default(),
        }
    }

    /// Replaces the field by a field read from compressed bytes. Returns `None` if the bytes are
    /// invalid.
    pub(in crate::distributed) fn read(self, bytes: &[u8]) -> Option<()> {
        let mut raw = RawField::read(bytes)?;
        match self {
            Self::Numbers(field) => {
                let list = std::mem::take(&mut raw.lists[0]);
                *field =
                    raw.field_of_same_width(bytemuck::allocation::cast_vec::<u32, f32>(list))?;
            }
            Self::Closed(closed) => {
                let cells = raw.lists[0].iter().map(|&word| word == 1).collect();
                *closed = ClosedCells::from(raw.field_of_same_width(cells)?);
            }
            Self::Soil(field) => *field = raw.field_of_same_width(raw.elements().collect())?,
            Self::Marks(field) => *field = raw.field_of_same_width(raw.elements().collect())?,
            Self::Soils(field) => *field = raw.field_of_same_width(raw.elements().collect())?,
        }
        Some(())
    }
}

/// Calls a function with the number and a mutable reference of every stored field of a subdomain.
pub(in crate::distributed) fn for_each_stored(
    flow: &mut Flow,
    mut with: impl FnMut(usize, StoredField<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let Flow { state, exchange, roughness, flood, .. } = flow;
    with(slot::BED, StoredField::Numbers(&mut state.bed))?;
    with(slot::CLOSED, StoredField::Closed(&mut state.closed))?;
    if let Some(map) = roughness {
        with(slot::ROUGHNESS, StoredField::Numbers(map))?;
    }
    for (i, (field, _)) in fields_mut(state).enumerate() {
        with(slot::WATER + i, StoredField::Numbers(field))?;
    }
    if let Some((_, held)) = &mut exchange.rain {
        with(slot::RAIN, StoredField::Numbers(held))?;
    }
    if let Some((_, held)) = &mut exchange.evaporation {
        with(slot::EVAPORATION, StoredField::Numbers(held))?;
    }
    if let Some(ground) = &mut exchange.soil {
        with(slot::SOIL, StoredField::Soil(&mut ground.cells))?;
    }
    if let Some(record) = flood {
        with(slot::MARKS, StoredField::Marks(&mut record.marks))?;
    }
    if let Some(map) = exchange.rain.as_mut().and_then(|(rain, _)| rain.map.as_mut()) {
        with(slot::RAIN_MAP, StoredField::Numbers(map))?;
    }
    if let Some(soils) = exchange.soil.as_mut().and_then(|ground| ground.map.as_mut()) {
        with(slot::SOIL_MAP, StoredField::Soils(&mut soils.map))?;
    }
    Ok(())
}
