import Foundation
import SessionBenchmark
import Support

/// `session-bench [FRAMES [CYCLES]]`: what the capture graph costs, in a program that holds nothing else.
@main
enum SessionBenchTool {
    static func main() throws {
        let counts = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard counts.count <= 2, counts.allSatisfy({ $0 > 0 }) else {
            StandardError.print("usage: session-bench [FRAMES [CYCLES]], whole numbers from 1; 1000 and 10000 by default")
            exit(64)
        }
        try SessionBench(frames: counts.first ?? 1000, cycles: counts.dropFirst().first ?? 10_000).run { StandardOutput.print($0) }
        if let failure = StandardOutput.failure {
            StandardError.print("session-bench: \(failure)")
            exit(74)
        }
    }
}
