/// One `#include` of a shader's text, wherever a preprocessor may see one: in a comment or a conditional part, too.
struct IncludeDirective: Equatable {
    /// Counts from 1.
    let line: Int
    /// Path between the quotes or the angle brackets.
    let name: String

    /// Every directive in `text`, in one pass over its bytes. Throws `invalidShader` for one that shares its line with other words or is broken up
    /// by comments, so that the compiler sees none that is not seen here. `path` is the file's name in messages.
    static func all(in text: String, of path: String) throws -> [IncludeDirective] {
        let (bytes, lines) = joined(text)
        let next = afterBlanks(bytes)
        var (result, lineStart) = ([IncludeDirective](), 0)
        for (index, byte) in bytes.enumerated() {
            if isEnd(byte) { lineStart = index + 1 }
            guard byte == UInt8(ascii: "#"), index + 1 < bytes.count else { continue }
            let word = next[index + 1]
            guard bytes[word...].starts(with: "include".utf8), word + 7 == bytes.count || !isName(bytes[word + 7]) else { continue }
            let isAlone = (bytes[lineStart..<index] + bytes[index + 1..<word]).allSatisfy { isSpace($0) && !isEnd($0) }
            guard isAlone, let name = name(bytes[(word + 7)...]) else {
                throw BokehError(.invalidShader, "\(path):\(lines[index]): error: `#include \"NAME\"` stands on a line of its own")
            }
            result.append(IncludeDirective(line: lines[index], name: name))
        }
        return result
    }

    /// The bytes with lines that end in a backslash joined to the next, and the line of each.
    private static func joined(_ text: String) -> (bytes: [UInt8], lines: [Int]) {
        let all = Array(text.utf8)
        var (bytes, lines, line, index) = ([UInt8](), [Int](), 1, 0)
        while index < all.count {
            let isSplice = all[index] == UInt8(ascii: "\\")
            if isSplice, all[(index + 1)...].starts(with: "\n".utf8) || all[(index + 1)...].starts(with: "\r\n".utf8) {
                index += all[index + 1] == UInt8(ascii: "\n") ? 2 : 3
                line += 1
                continue
            }
            bytes.append(all[index])
            lines.append(line)
            if all[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
        return (bytes, lines)
    }

    /// For each byte, where the first one from there on is that is neither white space nor within `/* */`.
    private static func afterBlanks(_ bytes: [UInt8]) -> [Int] {
        var next = Array(0...bytes.count)
        // End of the first `*/` that begins two bytes on, or one.
        var (close, closeOfNext) = (bytes.count, bytes.count)
        for index in bytes.indices.reversed() {
            let following = index + 1 < bytes.count ? bytes[index + 1] : 0
            let closeHere = closeOfNext
            closeOfNext = bytes[index] == UInt8(ascii: "*") && following == UInt8(ascii: "/") ? index + 2 : closeOfNext
            defer { close = closeHere }
            switch bytes[index] {
            case UInt8(ascii: "/") where following == UInt8(ascii: "*"): next[index] = next[close]
            case let byte where isSpace(byte): next[index] = next[index + 1]
            default: break
            }
        }
        return next
    }

    /// The name that the rest of a directive begins with.
    private static func name(_ rest: ArraySlice<UInt8>) -> String? {
        let rest = rest.drop { isSpace($0) && !isEnd($0) }
        guard let open = rest.first, open == UInt8(ascii: "\"") || open == UInt8(ascii: "<") else { return nil }
        let close = open == UInt8(ascii: "<") ? UInt8(ascii: ">") : open
        let name = rest.dropFirst().prefix { $0 != close && !isEnd($0) }
        guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == close else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
