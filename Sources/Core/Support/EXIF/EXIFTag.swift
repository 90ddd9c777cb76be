/// Entry of a directory: its key, its number and the kind of its value.
struct EXIFTag: Sendable {
    let key: String
    let number: UInt16
    let kind: Kind

    init(_ key: String, _ number: UInt16, _ kind: Kind) { (self.key, self.number, self.kind) = (key, number, kind) }

    /// Meaning of a value, and its shape in a dictionary.
    enum Kind: Sendable {
        /// String; ASCII that ends with a zero.
        case text
        /// Integer of 8, 16 or 32 bits.
        case byte, short, long
        /// List of integers of 16 bits.
        case shorts
        /// Number; a fraction of two 32-bit integers.
        case fraction, signedFraction
        /// List of numbers.
        case fractions
        /// Number of degrees; degrees, minutes and seconds.
        case degrees
        /// `HH:mm:ss`; three fractions.
        case clock
        /// List of bytes.
        case undefined
        /// String after eight bytes that name its characters.
        case comment

        /// Type of the value in a file: TIFF 6.0, section 2.
        var type: UInt16 {
            switch self {
            case .byte: 1
            case .text: 2
            case .short, .shorts: 3
            case .long: 4
            case .fraction, .fractions, .degrees, .clock: 5
            case .undefined, .comment: 7
            case .signedFraction: 10
            }
        }
    }
}
