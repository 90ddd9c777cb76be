import CoreVideo
import Foundation
import JPEGFiles
import Support

/// File of one picture in the making: JPEG or PNG. As on Apple's systems it is for one thread at a time.
public final class CGImageDestination {
    enum Target {
        case data(NSMutableData)
        case url(URL)
    }

    private let target: Target
    private let format: PictureFileFormat
    private var picture: Picture?
    private var properties: [String: Any] = [:]
    private var isFinished = false

    init(_ target: Target, _ format: PictureFileFormat) {
        self.target = target
        self.format = format
    }

    func set(_ properties: [String: Any]) { self.properties.merge(properties) { $1 } }

    /// Adds the picture, if it is the first.
    func add(_ picture: Picture?, _ properties: [String: Any]) {
        guard self.picture == nil else { return }
        let most = properties[kCGImageDestinationImageMaxPixelSize as String].flatMap { EXIFWriter.number($0) }
        self.picture = most.flatMap { most in picture.map { $0.reduced(to: Int(most)) } } ?? picture
        set(properties)
    }

    /// Writes the file; false where there is no picture, it cannot be encoded or written, or the file is finished.
    func finish() -> Bool {
        defer { isFinished = true }
        let quality = properties[kCGImageDestinationLossyCompressionQuality as String].flatMap { EXIFWriter.number($0) } ?? 0.85
        guard !isFinished, let picture, var file = try? picture.file(format, quality: quality) else { return false }
        if let exif = EXIFWriter(properties: properties).data { file = EXIFPlace.insert(exif, into: file, format) }
        switch target {
        case .data(let data):
            data.setData(file)
            return true
        case .url(let url):
            return (try? file.write(to: url)) != nil
        }
    }
}

/// Makes a destination in memory for one picture of the type `public.jpeg` or `public.png`; nil for another type or count.
public func CGImageDestinationCreateWithData(
    _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { make(.data(data), type, count) }

/// Makes a destination in a file for one picture of the type `public.jpeg` or `public.png`; nil for another type or count.
public func CGImageDestinationCreateWithURL(_ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?) -> CGImageDestination? {
    make(.url(url as URL), type, count)
}

private func make(_ target: CGImageDestination.Target, _ type: CFString, _ count: Int) -> CGImageDestination? {
    guard count == 1, let format = PictureFileFormat(rawValue: type as String) else { return nil }
    return CGImageDestination(target, format)
}

/// Returns the types that can be written.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray { CGImageSourceCopyTypeIdentifiers() }

/// Sets properties of the file: those of a picture, and its quality.
public func CGImageDestinationSetProperties(_ idst: CGImageDestination, _ properties: CFDictionary?) { idst.set(properties?.named ?? [:]) }

/// Adds a picture of 8 bits a component with its properties; one more than was announced is left out.
public func CGImageDestinationAddImage(_ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?) {
    idst.add(Picture(image), properties?.named ?? [:])
}

/// Adds the picture of a source, encoded anew, with its properties. Those given take the place of its own, within dictionaries too; `kCFNull` leaves
/// one out.
public func CGImageDestinationAddImageFromSource(_ idst: CGImageDestination, _ isrc: CGImageSource, _ index: Int, _ properties: CFDictionary?) {
    guard index == 0 else { return }
    idst.add(isrc.picture, merged(isrc.properties ?? [:], by: properties?.named ?? [:]))
}

/// Properties with those of `wishes` in place of their own; a dictionary is changed entry by entry, and `NSNull` leaves an entry out.
private func merged(_ properties: [String: Any], by wishes: [String: Any]) -> [String: Any] {
    var changed = properties
    for (key, wish) in wishes {
        if wish is NSNull {
            changed[key] = nil
        } else if let wish = (wish as? NSDictionary)?.named ?? wish as? [String: Any] {
            changed[key] = merged(properties[key] as? [String: Any] ?? [:], by: wish)
        } else {
            changed[key] = wish
        }
    }
    return changed
}

/// Writes the file; false where there is no picture, it cannot be encoded or written, or the file is finished.
@discardableResult
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { idst.finish() }
