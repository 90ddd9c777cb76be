import Support
import Testing

@Suite("Minimum-cost assignment")
struct AssignmentTests {
    @Test("as many as can, for the least sum, as trying everything finds", arguments: 1...40)
    func best(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let (rows, columns) = (1 + next(5), 1 + next(5))
        let costs = (0..<rows).map { _ in (0..<columns).map { _ in next(4) == 0 ? nil : Double(next(100)) / 10 - 3 } }
        /// Pairs made and their cost, over every assignment.
        func search(_ row: Int, _ used: Set<Int>) -> (pairs: Int, cost: Double) {
            guard row < rows else { return (0, 0) }
            var best = search(row + 1, used)
            for column in 0..<columns where !used.contains(column) {
                guard let cost = costs[row][column] else { continue }
                let rest = search(row + 1, used.union([column]))
                if (-rest.pairs - 1, rest.cost + cost) < (-best.pairs, best.cost) { best = (rest.pairs + 1, rest.cost + cost) }
            }
            return best
        }
        let found = Assignment.solve(costs, columns: columns)
        let pairs = found.enumerated().compactMap { row, column in column.map { (row, $0) } }
        #expect(Set(pairs.map(\.1)).count == pairs.count)
        let wanted = search(0, [])
        #expect(pairs.count == wanted.pairs)
        #expect(abs(pairs.reduce(0) { $0 + costs[$1.0][$1.1]! } - wanted.cost) < 1e-9)
    }
}
