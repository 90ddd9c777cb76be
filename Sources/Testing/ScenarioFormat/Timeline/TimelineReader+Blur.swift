import Foundation

extension TimelineReader {
    /// `{background: "> 6px", maya: "< 2px"}`.
    func blurs(_ node: Node) throws(ScenarioError) -> [Expectation.Blur] {
        var blurs: [Expectation.Blur] = []
        for entry in try node.entries(of: "blur") {
            let region: Expectation.Blur.Region = entry.key.raw == "background" ? .background : .subject(try subject(entry.key))
            let text = try entry.value.text("the blur")
            guard let sign = text.first, sign == ">" || sign == "<" else {
                throw entry.value.error("a blur is compared, like \"> 6px\" or \"< 2px\", not `\(text)`")
            }
            let rest = text.dropFirst().trimmingCharacters(in: .whitespaces)
            if let bare = Quantity(rest), bare.unit.isEmpty {
                throw entry.value.error("the blur needs its unit", suggestion: "did you mean `\(text)px`?")
            }
            let number = Node(source: entry.value.source, mark: entry.value.mark, content: .scalar(rest, isPlain: true))
            let pixels = try number.positive("the blur", units: [("px", 1)], in: Limits.pixels, example: "\"> 6px\"")
            blurs.append(Expectation.Blur(region: region, isMore: sign == ">", pixels: pixels))
        }
        guard !blurs.isEmpty else { throw node.error("`blur` looks at nothing", suggestion: "write {background: \"> 6px\"}") }
        return blurs
    }
}
