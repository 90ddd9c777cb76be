import Foundation

extension JSONEncoder {
    /// Encoder whose keys are in order, each on a line of its own, so that equal values have equal bytes and people can read them.
    package static var readable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return encoder
    }
}
