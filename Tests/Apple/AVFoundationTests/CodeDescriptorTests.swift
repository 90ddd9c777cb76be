import AVFoundation
import Foundation
import Testing

@testable import AVFCapture

@Suite("A code's descriptor")
struct CodeDescriptorTests {
    @Test("holds a text as one segment of bytes, a terminator and padding")
    func codewords() throws {
        let payload = try #require(QRPayload(Array("hi".utf8)))
        // Mode 0100, count 2, 0x68, 0x69, terminator 0000, then 0xEC and 0x11 by turns.
        #expect(payload.version == 1)
        #expect(payload.codewords == [0x40, 0x26, 0x86, 0x90, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11])
    }

    @Test(
        "is of the smallest symbol that holds the bytes",
        arguments: [(0, 1), (14, 1), (15, 2), (26, 2), (180, 9), (181, 10), (213, 10), (214, 11), (2331, 40)])
    func versions(count: Int, version: Int) throws {
        let payload = try #require(QRPayload([UInt8](repeating: 7, count: count)))
        #expect(payload.version == version)
        // The count has 8 bits up to version 9 and 16 above; the bytes lie four bits off.
        let words = payload.codewords.map(Int.init)
        let (first, second) = (words[0], words[1])
        let told = version < 10 ? (first & 0xF) << 4 | second >> 4 : (first & 0xF) << 12 | second << 4 | words[2] >> 4
        #expect(first >> 4 == 4 && told == count)
    }

    @Test("is none for more bytes than a symbol holds, for other codes, and without text")
    func none() {
        #expect(QRPayload([UInt8](repeating: 7, count: 2332)) == nil)
        for code in [CaptureConditions.Code(.ean13, "4006381333931"), .init(.qr, nil)] { #expect(object(code).descriptor == nil) }
    }

    @Test("comes with a metadata object, of its bytes where it has some")
    func objects() throws {
        var binary = CaptureConditions.Code(.qr, nil)
        binary.bytes = Data([0, 255])
        for (code, start) in [(CaptureConditions.Code(.qr, "hi"), [0x40, 0x26, 0x86, 0x90]), (binary, [0x40, 0x20, 0x0F, 0xF0])] as [(_, [UInt8])] {
            let descriptor = try #require(object(code).descriptor as? CIQRCodeDescriptor)
            #expect(Array(descriptor.errorCorrectedPayload.prefix(4)) == start)
            #expect(descriptor.symbolVersion == 1 && descriptor.maskPattern == 0 && descriptor.errorCorrectionLevel == .levelM)
        }
        #expect(object(binary).stringValue == nil)
    }

    @Test("has only numbers that its symbol can have")
    func limits() {
        let data = Data([1])
        func isQR(_ version: Int, _ mask: UInt8) -> Bool {
            CIQRCodeDescriptor(payload: data, symbolVersion: version, maskPattern: mask, errorCorrectionLevel: .levelH) != nil
        }
        #expect([isQR(1, 0), isQR(40, 7), isQR(0, 0), isQR(41, 0), isQR(1, 8)] == [true, true, false, false, false])
        #expect(CIAztecCodeDescriptor(payload: data, isCompact: true, layerCount: 5, dataCodewordCount: 1) == nil)
        #expect(CIAztecCodeDescriptor(payload: data, isCompact: false, layerCount: 32, dataCodewordCount: 2048)?.layerCount == 32)
        #expect(CIPDF417CodeDescriptor(payload: data, isCompact: false, rowCount: 2, columnCount: 1) == nil)
        #expect(CIPDF417CodeDescriptor(payload: data, isCompact: false, rowCount: 90, columnCount: 30)?.rowCount == 90)
        #expect(CIDataMatrixCodeDescriptor(payload: data, rowCount: 145, columnCount: 8, eccVersion: .v200) == nil)
        #expect(CIDataMatrixCodeDescriptor(payload: data, rowCount: 8, columnCount: 18, eccVersion: .v200)?.eccVersion.rawValue == 200)
    }

    private func object(_ code: CaptureConditions.Code) -> AVMetadataMachineReadableCodeObject {
        AVMetadataMachineReadableCodeObject(code.content(at: .zero, lasting: .invalid, horizonAngle: 0), environment: .current)
    }
}
