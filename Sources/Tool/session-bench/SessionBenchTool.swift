import Foundation
import SessionBenchmark

/// `session-bench [FRAMES [CYCLES]]`: what the capture graph costs, in a program that holds nothing else.
@main
enum SessionBenchTool {
    static func main() throws {
        let counts = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard counts.count <= 2, counts.allSatisfy({ $0 > 0 }) else {
            FileHandle.standardError.write(Data("usage: session-bench [FRAMES [CYCLES]], whole numbers from 1; 1000 and 10000 by default\n".utf8))
            exit(64)
        }
        try SessionBench(frames: counts.first ?? 1000, cycles: counts.dropFirst().first ?? 10_000).run { print($0) }
    }
}
