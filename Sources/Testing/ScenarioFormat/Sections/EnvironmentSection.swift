import Foundation
import Stage

extension Backdrop {
    init(_ node: Node) throws(ScenarioError) {
        self.init()
        let fields = try Fields(node, of: "environment", Format.environment)
        kind = try fields.read("backdrop") { node throws(ScenarioError) in try node.choice("a backdrop", Kind.self) } ?? kind
        wallDepth = try fields.read("wallDepth") { node throws(ScenarioError) in try node.metres("the wall's depth") } ?? wallDepth
        table = try fields.read("table", Table.init)
        for item in try fields.read("lights", { node throws(ScenarioError) in try node.list(of: "lights") }) ?? [] {
            lights += try PointLight.lights(item)
        }
        guard lights.count <= 2000 else { throw node.error("\(lights.count) lights are too many; 2000 are the most") }
    }
}

extension Table {
    fileprivate init(_ node: Node) throws(ScenarioError) {
        self.init()
        let fields = try Fields(node, of: "table", Format.table)
        depth = try fields.read("depth") { node throws(ScenarioError) in try node.metres("the table's far edge") } ?? depth
        drop = try fields.read("drop") { node throws(ScenarioError) in try node.metres("the drop to the table top") } ?? drop
    }
}

extension PointLight {
    /// One entry of `lights`: a light (`at`), a string of lights (`from`, `to`, `sag`) or lights spread over a box (`over`).
    fileprivate static func lights(_ node: Node) throws(ScenarioError) -> [PointLight] {
        let fields = try Fields(node, of: "a light", Format.lamp)
        let shapes = ["at", "from", "over"].filter { fields[$0] != nil }
        guard let shape = shapes.first, shapes.count == 1 else {
            throw node.error("a light is `at` a point, a string `from` one `to` another, or spread `over` a box: one of the three")
        }
        let belongs = ["at": [], "from": ["to", "sag", "count"], "over": ["count"]][shape] ?? []
        for key in ["to", "sag", "count"] where !belongs.contains(key) {
            if let stray = fields[key] { throw stray.error("`\(key)` does not go with `\(shape)`") }
        }
        var count = 1
        if shape != "at" { count = try fields.required("count", "how many lights").integer("the count", in: 2...1000) }
        let positions = try positions(fields, shape, count)
        let depths = try depths(try fields.required("depth", "its distance, like 6m"))
        let colors = try fields.read("color", colors) ?? [(1, 0.85, 0.6)]
        let size = try fields.read("size") { node throws(ScenarioError) in try node.fraction("the size, of the picture's width") } ?? 0.004
        return positions.enumerated().map { index, position in
            let (color, along) = (colors[index % colors.count], count > 1 ? fraction(index) : 0)
            return PointLight(
                position: position, depth: depths.lowerBound + (depths.upperBound - depths.lowerBound) * along,
                red: color.red, green: color.green, blue: color.blue, diameter: size)
        }
    }

    private static func positions(_ fields: Fields, _ shape: String, _ count: Int) throws(ScenarioError) -> [CGPoint] {
        if shape == "at" { return [try fields.required("at").point("at")] }
        if shape == "from" {
            let (start, end) = (try fields.required("from").point("from"), try fields.required("to", "where the string ends").point("to"))
            let sag = try fields.read("sag") { node throws(ScenarioError) in try node.fraction("the sag, of the picture's height") } ?? 0
            return (0..<count).map { index in
                let t = Double(index) / Double(count - 1)
                return CGPoint(x: start.x + (end.x - start.x) * t, y: start.y + (end.y - start.y) * t + 4 * sag * t * (1 - t))
            }
        }
        let box = try fields.required("over").box("over")
        return (0..<count).map { index in
            CGPoint(x: box.minX + box.width * fraction(index, by: 0x9123_9EF5), y: box.minY + box.height * fraction(index, by: 0xC13F_A9A9))
        }
    }

    /// Even but irregular positions in 0…1, the same on every machine: the fraction of a multiple of an irrational number
    /// (Roberts' R2 sequence in 32-bit fixed point; the default step is the golden ratio's).
    private static func fraction(_ index: Int, by step: UInt32 = 0x9E37_79B9) -> Double {
        Double((UInt32(truncatingIfNeeded: index) &+ 1) &* step) / 4_294_967_296
    }

    /// One distance, or from the nearest to the farthest.
    private static func depths(_ node: Node) throws(ScenarioError) -> ClosedRange<Double> {
        guard node.isSequence else {
            let depth = try node.metres("the depth")
            return depth...depth
        }
        let ends = try node.list(of: "the depth")
        guard ends.count == 2 else { throw node.error("the depth is one distance, or [nearest, farthest]") }
        let (near, far) = (try ends[0].metres("the nearest depth"), try ends[1].metres("the farthest depth"))
        guard near <= far else { throw node.error("the depth goes from the nearest to the farthest") }
        return near...far
    }

    private typealias Color = (red: Double, green: Double, blue: Double)

    /// A colour, or several that take turns.
    private static func colors(_ node: Node) throws(ScenarioError) -> [Color] {
        guard node.isSequence else { return [try color(node)] }
        var colors: [Color] = []
        for item in try node.list(of: "the colours") { colors.append(try color(item)) }
        guard !colors.isEmpty else { throw node.error("there is no colour in the list") }
        return colors
    }

    private static func color(_ node: Node) throws(ScenarioError) -> Color {
        let text = try node.text("a colour")
        let names: [(name: String, value: Color)] = [
            ("warm", (1, 0.85, 0.6)), ("amber", (1, 0.65, 0.25)), ("white", (1, 1, 1)), ("cold", (0.75, 0.87, 1)),
            ("red", (1, 0.2, 0.15)), ("green", (0.3, 1, 0.45)), ("blue", (0.3, 0.5, 1)), ("pink", (1, 0.45, 0.7)),
        ]
        guard text.hasPrefix("#") else { return try node.choice("a colour (names, or \"#rrggbb\" in quotes)", names) }
        guard text.count == 7, text.dropFirst().allSatisfy(\.isHexDigit), let bits = Int(text.dropFirst(), radix: 16) else {
            throw node.error("a colour is written like \"#ffd9a0\", not `\(text)`")
        }
        func part(_ shift: Int) -> Double { Double(bits >> shift & 255) / 255 }
        return (part(16), part(8), part(0))
    }
}
