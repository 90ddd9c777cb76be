// The module ImageIO: JPEG and PNG files with their EXIF, TIFF and GPS dictionaries, through libjpeg and libpng. Other formats are not
// read: a source of them has no pictures. Coverage.md lists what there is.
@_exported import CoreVideo
@_exported import Foundation
