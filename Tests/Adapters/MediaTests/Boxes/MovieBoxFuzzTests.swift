import Foundation
import FuzzSupport
import TestSupport
import Testing

@testable import Media

/// Own readers of movies, which come before FFmpeg: boxes, fragments, the end of the file.
@Suite("Boxes of movies, changed by chance") struct MovieBoxFuzzTests {
    @Test("give a part that plays, within the file, and the same part again once it is cut to that")
    func fragments() throws {
        let scratch = try Scratch()
        let mutator = BoxMutator(try MovieSamples.tiny(in: scratch))
        let (file, part) = (try KeptInput(scratch.url.appending(path: "odd.mov")), try KeptInput(scratch.url.appending(path: "part.mov")))
        try FuzzRun("movie-box", count: 1000)({ mutator(&$0) }) { input, seed in
            try file.write(input)
            let movie = try InputFile(path: file.path)
            #expect(ContainerEnd.shortfall(of: movie)?.isEmpty != true, "seed \(seed)")
            for isRevealing in [false, true] {
                let scan = FragmentScan(movie, revealing: isRevealing)
                #expect((0...movie.length).contains(scan.end), "seed \(seed)")
                #expect(scan.edits.allSatisfy { $0.offset >= 0 && $0.offset + Int64($0.bytes.count) <= scan.end }, "seed \(seed)")
                guard scan.fragments > 0 else { continue }
                let shown = try InputFile(path: file.path)
                shown.show(until: scan.end, edits: scan.edits)
                try part.write(Data(shown.bytes(at: 0, count: Int(scan.end))))
                let again = FragmentScan(try InputFile(path: part.path), revealing: isRevealing)
                #expect(again.fragments == scan.fragments && again.end == scan.end, "seed \(seed)")
            }
        }
    }
}
