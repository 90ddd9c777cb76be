import Foundation

/// Format of a picture's file; the text is its uniform type identifier.
package enum PictureFileFormat: String {
    case jpeg = "public.jpeg"
    case png = "public.png"

    /// Creates the format that a file's first bytes tell; nil for any other.
    package init?(_ file: Data) {
        if file.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else {
            return nil
        }
    }
}
