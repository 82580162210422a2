//! Fields of a subdomain as bytes: their storage numbers and format.

use crate::distributed::block::fields::fields_mut;
use crate::distributed::storage::pack::{pack, unpack};
use crate::field::Field;
use crate::flow::flood::FloodCell;
use crate::flow::soil::SoilCell;
use crate::flow::state::ClosedCells;
use crate::flow::world::Flow;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::io;
use std::ops::Range;

/// Storage numbers of the fields of a subdomain.
pub(in crate::distributed) mod slot {
    use crate::lattice::Lattice;

    pub(in crate::distributed) const BED: usize = 0;
    pub(in crate::distributed) const CLOSED: usize = 1;
    pub(in crate::distributed) const ROUGHNESS: usize = 2;
    /// First number of the fields that steps change, in the order of
    /// [`fields`](crate::distributed::block::fields::fields).
    pub(in crate::distributed) const WATER: usize = 3;
    pub(in crate::distributed) const RAIN: usize = 10;
    pub(in crate::distributed) const EVAPORATION: usize = 11;
    pub(in crate::distributed) const SOIL: usize = 12;
    pub(in crate::distributed) const MARKS: usize = 13;
    pub(in crate::distributed) const RAIN_MAP: usize = 14;
    pub(in crate::distributed) const SOIL_MAP: usize = 15;

    /// Returns whether steps change a field.
    pub(in crate::distributed) fn changes(which: usize) -> bool {
        (WATER..RAIN_MAP).contains(&which)
    }

    /// Returns whether a field is on faces between rows: discharges, of which hexagons have two.
    pub(in crate::distributed) fn is_between(lattice: &Lattice, which: usize) -> bool {
        which == WATER + 3 || lattice.is_hex() && which == WATER + 4
    }

    /// Returns the number of lists of a field: one for each number of its elements.
    pub(in crate::distributed) fn lists(which: usize) -> usize {
        match which {
            SOIL => 4,
            MARKS => 10,
            _ => 1,
        }
    }

    /// Returns the columns and rows of a field of a grid.
    pub(in crate::distributed) fn shape(lattice: &Lattice, which: usize) -> [usize; 2] {
        // Fields of western and eastern faces have an extra column; those between rows, an extra
        // row.
        let slanted = lattice.is_hex() && which == WATER + 4;
        let nx = lattice.nx() + usize::from(which == WATER + 2 || slanted);
        [nx, lattice.ny() + usize::from(is_between(lattice, which))]
    }
}

/// Returns the error for stored bytes that are damaged.
pub(in crate::distributed) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "what was put away of a block is damaged")
}

/// A field as 32-bit words, independent of its type.
#[derive(Clone, Debug)]
pub(in crate::distributed) struct Raw {
    /// Values in a row.
    width: usize,
    /// Words of each list of the field.
    lists: Vec<Vec<u32>>,
}

impl Raw {
    /// Creates a field from lists with rows of `width` values.
    pub(in crate::distributed) fn new(width: usize, lists: Vec<Vec<u32>>) -> Self {
        Self { width, lists }
    }

    /// Returns the number of rows.
    pub(in crate::distributed) fn height(&self) -> usize {
        self.lists[0].len() / self.width
    }

    /// Returns the first list.
    pub(in crate::distributed) fn numbers(&self) -> &[u32] {
        &self.lists[0]
    }

    /// Reduces it to some rows; `None` if it does not have them.
    pub(in crate::distributed) fn cut(mut self, rows: Range<usize>) -> Option<Self> {
        let place = rows.start * self.width..rows.end * self.width;
        if rows.end > self.height() {
            return None;
        }
        for list in &mut self.lists {
            list.truncate(place.end);
            list.drain(..place.start);
        }
        Some(self)
    }

    /// Copies some rows; `None` if it does not have them.
    pub(in crate::distributed) fn copy(&self, rows: Range<usize>) -> Option<Self> {
        if rows.end > self.height() {
            return None;
        }
        let place = rows.start * self.width..rows.end * self.width;
        let lists = self.lists.iter().map(|list| list.get(place.clone()).map(<[u32]>::to_vec));
        Some(Self { width: self.width, lists: lists.collect::<Option<_>>()? })
    }

    /// Returns whether it has `lists` lists of `height` rows and `width` columns.
    pub(in crate::distributed) fn is_of(&self, width: usize, height: usize, lists: usize) -> bool {
        let whole = |list: &Vec<u32>| Some(list.len()) == width.checked_mul(height);
        self.width == width && self.lists.len() == lists && self.lists.iter().all(whole)
    }

    /// Iterates over the elements of a field with several numbers each.
    pub(in crate::distributed) fn elements<T: Words>(&self) -> impl Iterator<Item = T> {
        (0..self.lists[0].len()).map(|i| {
            let mut numbers = T::Numbers::default();
            let all = numbers.as_mut().iter_mut().zip(&self.lists);
            all.for_each(|(number, list)| *number = list[i]);
            T::of(numbers)
        })
    }

    pub(in crate::distributed) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(self.width as u64).to_le_bytes());
        bytes.extend_from_slice(&(self.lists.len() as u64).to_le_bytes());
        self.lists.iter().for_each(|list| pack(list, bytes));
    }

    pub(in crate::distributed) fn read(bytes: &[u8]) -> Option<Self> {
        let (width, rest) = bytes.split_first_chunk()?;
        let (count, mut rest) = rest.split_first_chunk()?;
        let width = usize::try_from(u64::from_le_bytes(*width)).ok()?;
        let mut lists = Vec::new();
        for _ in 0..u64::from_le_bytes(*count) {
            let (list, after) = unpack(rest)?;
            lists.push(list);
            rest = after;
        }
        let whole = width > 0 && lists.iter().all(|list| list.len().is_multiple_of(width));
        (whole && !lists.is_empty()).then_some(Self { width, lists })
    }

    /// Converts values to a field of this shape.
    fn field<T>(&self, values: Vec<T>) -> Option<Field<T>> {
        Field::from_vec(self.width, values.len() / self.width, values).ok()
    }
}

/// Writes the bytes of a field's [`Raw`] with only one list in memory at a time.
fn write_elements<T: Words>(field: &Field<T>, bytes: &mut Vec<u8>) {
    let count = T::Numbers::default().as_ref().len();
    bytes.extend_from_slice(&(field.nx() as u64).to_le_bytes());
    bytes.extend_from_slice(&(count as u64).to_le_bytes());
    for i in 0..count {
        let list: Vec<u32> = field.as_slice().iter().map(|t| t.numbers().as_ref()[i]).collect();
        pack(&list, bytes);
    }
}

/// Element of a field that consists of 32-bit words.
pub(in crate::distributed) trait Words: Copy {
    /// Array of its words.
    type Numbers: Default + AsRef<[u32]> + AsMut<[u32]>;

    /// Returns its words.
    fn numbers(self) -> Self::Numbers;

    /// Restores it from its words.
    fn of(numbers: Self::Numbers) -> Self;
}

/// Serializes as the packed bytes that the storage uses.
impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        to.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(from)?;
        Self::read(bytes).ok_or_else(|| D::Error::custom(damaged()))
    }
}

/// Splits a 64-bit number into two words.
fn halves(number: f64) -> [u32; 2] {
    let bits = number.to_bits();
    [(bits >> 32) as u32, bits as u32]
}

fn whole([high, low]: [u32; 2]) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

impl Words for SoilCell {
    type Numbers = [u32; 4];

    fn numbers(self) -> [u32; 4] {
        let [high, low] = halves(self.held);
        [high, low, self.to_take.to_bits(), self.to_give.to_bits()]
    }

    fn of([high, low, to_take, to_give]: [u32; 4]) -> Self {
        let [to_take, to_give] = [to_take, to_give].map(f32::from_bits);
        Self { held: whole([high, low]), to_take, to_give }
    }
}

/// Number of a soil.
impl Words for u16 {
    type Numbers = [u32; 1];

    fn numbers(self) -> [u32; 1] {
        [self.into()]
    }

    fn of([number]: [u32; 1]) -> Self {
        number as Self
    }
}

impl Words for FloodCell {
    type Numbers = [u32; 10];

    fn numbers(self) -> [u32; 10] {
        let (singles, [before, since]) = self.to_arrays();
        let [a, b, c, d, e, f] = singles.map(f32::to_bits);
        let ([g, h], [i, j]) = (halves(before), halves(since));
        [a, b, c, d, e, f, g, h, i, j]
    }

    fn of([a, b, c, d, e, f, g, h, i, j]: [u32; 10]) -> Self {
        Self::from_arrays([a, b, c, d, e, f].map(f32::from_bits), [whole([g, h]), whole([i, j])])
    }
}

/// Mutable reference to a field of a subdomain.
pub(in crate::distributed) enum Stored<'a> {
    Numbers(&'a mut Field<f32>),
    Closed(&'a mut ClosedCells),
    Soil(&'a mut Field<SoilCell>),
    Marks(&'a mut Field<FloodCell>),
    Soils(&'a mut Field<u16>),
}

impl Stored<'_> {
    /// Returns some rows as words; `None` if it does not have them.
    pub(in crate::distributed) fn raw(&self, rows: Range<usize>) -> Option<Raw> {
        fn place<T>(field: &Field<T>, rows: &Range<usize>) -> Range<usize> {
            rows.start * field.nx()..rows.end * field.nx()
        }
        fn lists<T: Words>(field: &Field<T>, rows: &Range<usize>) -> Option<Raw> {
            let elements = field.as_slice().get(place(field, rows))?;
            let count = T::Numbers::default().as_ref().len();
            let mut lists = vec![Vec::with_capacity(elements.len()); count];
            for thing in elements {
                let numbers = thing.numbers();
                lists.iter_mut().zip(numbers.as_ref()).for_each(|(list, n)| list.push(*n));
            }
            Some(Raw { width: field.nx(), lists })
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
            Self::Soil(field) => return lists(field, &rows),
            Self::Marks(field) => return lists(field, &rows),
            Self::Soils(field) => return lists(field, &rows),
        };
        Some(Raw { width, lists: vec![list] })
    }

    /// Replaces values from a row on; `None` if they do not fit.
    pub(in crate::distributed) fn put(self, first: usize, raw: &Raw) -> Option<()> {
        fn place<'a, T>(field: &'a mut Field<T>, first: usize, raw: &Raw) -> Option<&'a mut [T]> {
            let place = first * raw.width..(first + raw.height()) * raw.width;
            let fits = field.nx() == raw.width;
            field.as_mut_slice().get_mut(place).filter(|_| fits)
        }
        fn elements<T: Words>(field: &mut Field<T>, first: usize, raw: &Raw) -> Option<()> {
            if raw.lists.len() != T::Numbers::default().as_ref().len() {
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

    pub(in crate::distributed) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            // Avoids a copy.
            Self::Numbers(field) => {
                bytes.extend_from_slice(&(field.nx() as u64).to_le_bytes());
                bytes.extend_from_slice(&1_u64.to_le_bytes());
                pack(bytemuck::cast_slice(field.as_slice()), bytes);
            }
            Self::Closed(closed) => {
                let all = self.raw(0..closed.cells().ny());
                // Each field has its own row width.
                all.iter().for_each(|raw| raw.write(bytes));
            }
            Self::Soil(field) => write_elements(field, bytes),
            Self::Marks(field) => write_elements(field, bytes),
            Self::Soils(field) => write_elements(field, bytes),
        }
    }

    pub(in crate::distributed) fn clear(self) {
        match self {
            Self::Numbers(field) => *field = Field::default(),
            Self::Closed(closed) => *closed = ClosedCells::from(Field::default()),
            Self::Soil(field) => *field = Field::default(),
            Self::Marks(field) => *field = Field::default(),
            Self::Soils(field) => *field = Field::default(),
        }
    }

    pub(in crate::distributed) fn read(self, bytes: &[u8]) -> Option<()> {
        let mut raw = Raw::read(bytes)?;
        match self {
            Self::Numbers(field) => {
                let list = std::mem::take(&mut raw.lists[0]);
                *field = raw.field(bytemuck::allocation::cast_vec::<u32, f32>(list))?;
            }
            Self::Closed(closed) => {
                let cells = raw.lists[0].iter().map(|&word| word == 1).collect();
                *closed = ClosedCells::from(raw.field(cells)?);
            }
            Self::Soil(field) => *field = raw.field(raw.elements().collect())?,
            Self::Marks(field) => *field = raw.field(raw.elements().collect())?,
            Self::Soils(field) => *field = raw.field(raw.elements().collect())?,
        }
        Some(())
    }
}

/// Calls a function with every field of a subdomain and its number.
pub(in crate::distributed) fn for_each_stored(
    flow: &mut Flow,
    mut with: impl FnMut(usize, Stored<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let Flow { state, exchange, roughness, flood, .. } = flow;
    with(slot::BED, Stored::Numbers(&mut state.bed))?;
    with(slot::CLOSED, Stored::Closed(&mut state.closed))?;
    if let Some(map) = roughness {
        with(slot::ROUGHNESS, Stored::Numbers(map))?;
    }
    for (i, (field, _)) in fields_mut(state).enumerate() {
        with(slot::WATER + i, Stored::Numbers(field))?;
    }
    if let Some((_, held)) = &mut exchange.rain {
        with(slot::RAIN, Stored::Numbers(held))?;
    }
    if let Some((_, held)) = &mut exchange.evaporation {
        with(slot::EVAPORATION, Stored::Numbers(held))?;
    }
    if let Some(ground) = &mut exchange.soil {
        with(slot::SOIL, Stored::Soil(&mut ground.cells))?;
    }
    if let Some(record) = flood {
        with(slot::MARKS, Stored::Marks(&mut record.marks))?;
    }
    if let Some(map) = exchange.rain.as_mut().and_then(|(rain, _)| rain.map.as_mut()) {
        with(slot::RAIN_MAP, Stored::Numbers(map))?;
    }
    if let Some(soils) = exchange.soil.as_mut().and_then(|ground| ground.map.as_mut()) {
        with(slot::SOIL_MAP, Stored::Soils(&mut soils.map))?;
    }
    Ok(())
}
