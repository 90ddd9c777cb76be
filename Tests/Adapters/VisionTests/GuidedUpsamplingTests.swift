import CoreVideo
import Foundation
import Testing

@testable import Vision

@Suite("Soft masks brought to a larger picture")
struct GuidedUpsamplingTests {
    /// 40 x 20 pixels, 1 from column `edge` on.
    private static func mask(from edge: Int) -> SoftMask {
        var mask = SoftMask(width: 40, height: 20)
        for y in 0..<20 { for x in edge..<40 { mask.values[y * 40 + x] = 1 } }
        return mask
    }

    /// A row of the mask, upsampled four times along a picture of the given luma.
    private static func row(_ mask: SoftMask, luma: @escaping (Int) -> Int) throws -> [Float] {
        let guide = try Raster(lumaOf: Pictures.picture(160, 80) { x, _ in luma(x) }, width: 160, height: 80)
        let small = Raster(width: 40, height: 20)
        try small.fill(reducing: guide.image)
        let all = try mask.upsampled(of: small, along: guide, rows: 0..<80)
        return Array(all[40 * 160..<41 * 160])
    }

    @Test("where the picture is even the edge is the mask's, and soft")
    func even() throws {
        let row = try Self.row(Self.mask(from: 20)) { _ in 100 }
        #expect(row[..<68].allSatisfy { $0 == 0 } && row[92...].allSatisfy { $0 == 1 })
        #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 + 1e-5 })
        #expect(abs(row[79] + row[80] - 1) < 0.3)
    }

    @Test("an edge of the picture within a pixel of the mask's draws it there")
    func edge() throws {
        let row = try Self.row(Self.mask(from: 21)) { $0 < 80 ? 60 : 180 }
        #expect(row[79] < 0.05 && row[80] > 0.4)
    }

    @Test("texture inside a mask leaves no holes, rows that nobody asked for stay empty")
    func texture() throws {
        let row = try Self.row(Self.mask(from: 10)) { 60 + Pictures.speckle($0, 0) / 2 }
        #expect(row[60...].allSatisfy { $0 == 1 })
        let guide = Raster(width: 80, height: 40)
        let part = try Self.mask(from: 0).upsampled(of: Raster(width: 40, height: 20), along: guide, rows: 10..<20)
        #expect(part[..<(10 * 80)].allSatisfy { $0 == 0 } && part[(10 * 80)..<(20 * 80)].allSatisfy { $0 == 1 })
    }
}
