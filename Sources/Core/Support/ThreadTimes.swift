import Foundation

/// Processor time of a process's threads by their names, summed over threads of one name up to a number behind a dash: `worker-0` and `worker-1`
/// are `worker`.
///
/// A thread that ended between two looks keeps what it had used at the last; the process knows the rest.
package struct ThreadTimes: Sendable {
    private var seconds: [Int: (name: String, time: Double)] = [:]

    package init() {}

    /// Looks at the threads there are now.
    package mutating func look() {
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        for thread in threads.compactMap({ Int($0) }) {
            guard let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8),
                let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
            else { continue }
            // Behind the name come the fields from the third on; the 14th and 15th are its times.
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { continue }
            let name = text[text.index(after: start)..<end]
            let isNumbered = name.lastIndex(of: "-").map { name[name.index(after: $0)...].allSatisfy(\.isNumber) } ?? false
            seconds[thread] = (isNumbered ? String(name[..<name.lastIndex(of: "-")!]) : String(name), (user + system) / ticks)
        }
    }

    /// Seconds by name, largest first.
    package var sums: [(name: String, seconds: Double)] {
        var sums: [String: Double] = [:]
        for thread in seconds.values { sums[thread.name, default: 0] += thread.time }
        return sums.map { ($0.key, $0.value) }.sorted { ($0.1, $1.0) > ($1.1, $0.0) }
    }
}
