import CoreVideo
import Foundation
import JPEGFiles
import Support

/// File of a picture: JPEG or PNG. Another has no pictures and no type.
public final class CGImageSource: @unchecked Sendable {
    let file: Data
    let format: PictureFileFormat?
    /// The file's properties; nil where it is broken.
    let properties: [String: Any]?

    init(_ file: Data) {
        self.file = file
        format = PictureFileFormat(file)
        properties = format.flatMap { Self.properties(of: file, $0) }
    }

    private static func properties(of file: Data, _ format: PictureFileFormat) -> [String: Any]? {
        guard let picture = try? Picture(file, format, withPixels: false) else { return nil }
        var result: [String: Any] = [
            "PixelWidth": picture.width, "PixelHeight": picture.height, "Depth": 8, "ColorModel": picture.components > 2 ? "RGB" : "Gray",
        ]
        if picture.components % 2 == 0 { result["HasAlpha"] = true }
        for (name, dictionary) in EXIFPlace.data(in: file, format).flatMap({ EXIFReader($0) })?.properties ?? [:] { result[name] = dictionary }
        if let orientation = (result["{TIFF}"] as? [String: Any])?["Orientation"] { result["Orientation"] = orientation }
        return result
    }

    /// Pixels of the picture; nil where the file is broken.
    var picture: Picture? { format.flatMap { try? Picture(file, $0) } }
    var orientation: Int { properties?["Orientation"] as? Int ?? 1 }
}

/// State of a source.
public enum CGImageSourceStatus: Int32, Sendable {
    /// The file ends too early.
    case statusUnexpectedEOF = -5
    /// The file is broken.
    case statusInvalidData = -4
    /// The format is not known.
    case statusUnknownType = -3
    /// The header is being read.
    case statusReadingHeader = -2
    /// More is to come; never so here.
    case statusIncomplete = -1
    /// All is there.
    case statusComplete = 0
}

/// Makes a source of a file in memory; never nil.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { CGImageSource(data as Data) }

/// Makes a source of a file; nil where it cannot be read.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
    (try? Data(contentsOf: url as URL)).map(CGImageSource.init)
}

/// Makes a source of a provider's bytes; never nil.
public func CGImageSourceCreateWithDataProvider(_ provider: CGDataProvider, _ options: CFDictionary?) -> CGImageSource? {
    provider.data.map { CGImageSource($0 as Data) }
}

/// Returns `public.jpeg` or `public.png`; nil for another format.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { isrc.format.map { $0.rawValue as CFString } }
/// Returns the number of pictures: 1, or 0 where the format is not known or the file is broken.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { isrc.properties == nil ? 0 : 1 }
/// Returns the state of the source.
public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus {
    isrc.format == nil ? .statusUnknownType : isrc.properties == nil ? .statusInvalidData : .statusComplete
}
/// Returns the types that can be read.
public func CGImageSourceCopyTypeIdentifiers() -> CFArray { [PictureFileFormat.jpeg.rawValue, PictureFileFormat.png.rawValue] as CFArray }

/// Returns size, orientation, and the dictionaries of EXIF, TIFF and GPS; nil for an index without a picture.
public func CGImageSourceCopyPropertiesAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CFDictionary? {
    index == 0 ? isrc.properties.map { $0 as CFDictionary } : nil
}

/// Returns nil, as for a picture that has no map, matte or gain map beside it: those of JPEG files are not read.
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ auxiliaryImageDataType: CFString
) -> CFDictionary? { nil }

/// Decodes a picture as stored, 8 bits a component; nil for an index without a picture.
public func CGImageSourceCreateImageAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? {
    index == 0 ? isrc.picture?.image : nil
}

/// Decodes a picture at most as large as the options say, and turns it upright if they say so; nil for an index without a picture, and where no
/// thumbnail is to be made: files' own are not read.
public func CGImageSourceCreateThumbnailAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? {
    let options = options ?? [:]
    let makes = [kCGImageSourceCreateThumbnailFromImageAlways, kCGImageSourceCreateThumbnailFromImageIfAbsent].contains {
        options[$0] as? Bool == true
    }
    guard index == 0, makes, let picture = isrc.picture else { return nil }
    let side = options[kCGImageSourceThumbnailMaxPixelSize].flatMap { EXIFWriter.number($0) }
    let small = side.map { picture.reduced(to: Int($0)) } ?? picture
    let turns = options[kCGImageSourceCreateThumbnailWithTransform] as? Bool == true
    return (turns ? small.upright(from: isrc.orientation) : small).image
}

/// Returns the file's own properties: its size in bytes.
public func CGImageSourceCopyProperties(_ isrc: CGImageSource, _ options: CFDictionary?) -> CFDictionary? {
    [kCGImagePropertyFileSize: isrc.file.count] as CFDictionary
}
