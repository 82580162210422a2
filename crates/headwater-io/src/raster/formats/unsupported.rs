//! Errors for known raster formats that cannot be read. Each error names the format and gives a
//! command that converts the file to a format that can be read.

use crate::raster::Problem;

/// Known format that cannot be read.
struct UnsupportedFormat {
    /// First bytes of a file; empty if only the extension identifies the format.
    signature: &'static [u8],
    /// Extension of the file name in lower case; empty if only the first bytes identify the format.
    extension: &'static str,
    name: &'static str,
    /// Command that converts the file: `{}` stands for the name of the file.
    command: &'static str,
}

const TRANSLATE: &str = "gdal_translate {} OUT.tif";
const FIRST_BAND: &str = "gdal_translate -b 1 {} OUT.tif";
const NETCDF: &str = "gdal_translate NETCDF:\"{}\":VARIABLE OUT.tif (gdalinfo lists the variables)";
const GUNZIP: &str = "gdal_translate /vsigzip/{} OUT.tif";
const UTF_8: &str = "iconv -f UTF-16 -t UTF-8 {} > OUT.asc";
const NPZ: &str = "python -c \"import numpy as np; z = np.load('{}'); \
                   np.save('OUT.npy', z[z.files[0]])\"";

const fn unsupported(
    signature: &'static [u8],
    extension: &'static str,
    name: &'static str,
    command: &'static str,
) -> UnsupportedFormat {
    UnsupportedFormat { signature, extension, name, command }
}

/// Formats in the order in which they are tried. NPZ and KMZ, which are recognised by extension,
/// come first because their files begin like any zip archive.
const FORMATS: [UnsupportedFormat; 33] = [
    unsupported(b"", "npz", "an archive of NumPy arrays", NPZ),
    unsupported(b"", "kmz", "a KMZ archive", TRANSLATE),
    unsupported(b"CDF\x01", "", "a NetCDF file", NETCDF),
    unsupported(b"CDF\x02", "", "a NetCDF file", NETCDF),
    unsupported(b"CDF\x05", "", "a NetCDF file", NETCDF),
    unsupported(b"\x89HDF\r\n\x1a\n", "nc", "a NetCDF 4 file", NETCDF),
    unsupported(b"\x89HDF\r\n\x1a\n", "bag", "a BAG file", FIRST_BAND),
    unsupported(b"\x89HDF\r\n\x1a\n", "", "an HDF5 or NetCDF 4 file", NETCDF),
    unsupported(b"v/1\x01", "", "an OpenEXR picture", FIRST_BAND),
    unsupported(b"EHFA_HEADER_TAG", "", "an ERDAS Imagine file", TRANSLATE),
    unsupported(b"GRIB", "", "a GRIB file", FIRST_BAND),
    unsupported(b"\xff\xd8\xff", "", "a JPEG picture", FIRST_BAND),
    unsupported(b"\0\0\0\x0cjP  ", "", "a JPEG 2000 file", TRANSLATE),
    unsupported(b"RIFF", "webp", "a WebP picture", FIRST_BAND),
    unsupported(b"BM", "bmp", "a BMP picture", FIRST_BAND),
    unsupported(b"\x1f\x8b", "", "a gzip archive", GUNZIP),
    unsupported(b"PK\x03\x04", "", "a zip archive", "unzip {}"),
    unsupported(b"DSAA", "", "a Surfer grid", TRANSLATE),
    unsupported(b"DSBB", "", "a Surfer grid", TRANSLATE),
    unsupported(b"DSRB", "", "a Surfer grid", TRANSLATE),
    unsupported(b"UHL1", "", "a DTED file", TRANSLATE),
    unsupported(b"SQLite format 3\0", "", "a GeoPackage", TRANSLATE),
    unsupported(b"<VRTDataset", "", "a virtual raster (VRT)", TRANSLATE),
    unsupported(b"north:", "", "a GRASS ASCII grid", TRANSLATE),
    unsupported(b"CntZImage ", "", "a LERC file", TRANSLATE),
    unsupported(b"Lerc2 ", "", "a LERC file", TRANSLATE),
    unsupported(b"\xff\xfe", "asc", "a text in UTF-16", UTF_8),
    unsupported(b"\xfe\xff", "asc", "a text in UTF-16", UTF_8),
    unsupported(
        b"version https://git-lfs",
        "",
        "a pointer of Git LFS, not the file",
        "git lfs pull",
    ),
    unsupported(b"", "flt", "an ESRI float grid", TRANSLATE),
    unsupported(b"", "bil", "a raster with a separate header (BIL)", TRANSLATE),
    unsupported(b"", "xyz", "a list of points", TRANSLATE),
    unsupported(b"", "dem", "a USGS DEM", TRANSLATE),
];

/// Returns the error for a file in a known format that cannot be read, or `None` for other files.
/// `extension` is in lower case.
pub(in crate::raster) fn unsupported_error(
    name: &str,
    bytes: &[u8],
    extension: &str,
) -> Option<Problem> {
    let found = FORMATS.iter().find(|format| {
        bytes.starts_with(format.signature)
            && (format.extension.is_empty() || format.extension == extension)
    })?;
    Some(Problem::Convert {
        found: format!("{}, which is not read", found.name),
        command: found.command.replace("{}", name),
    })
}
