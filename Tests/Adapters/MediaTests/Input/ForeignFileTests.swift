import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("Footage that would have other files opened, or is no file") struct ForeignFileTests {
    @Test(
        "a playlist under a movie's name opens nothing",
        arguments: [
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nreal.mp4\n#EXT-X-ENDLIST\n", "ffconcat version 1.0\nfile real.mp4\n",
            "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"><Period><BaseURL>real.mp4</BaseURL></Period></MPD>\n",
        ])
    func playlist(text: String) throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("real.mp4"))
        try text.write(toFile: scratch("list.mp4"), atomically: false, encoding: .utf8)
        let error = #expect(throws: MediaError.self) { try VideoFileSource(path: scratch("list.mp4")) }
        #expect([.unsupported, .unknownFormat].contains(error?.code), "\(error?.description ?? "")")
        #expect(throws: MediaError.self) { try SoundFile.read(scratch("list.mp4")) }
    }

    @Test("pipes, sockets, devices and files of the kernel are refused by what they are")
    func special() throws {
        let scratch = try Scratch()
        try #require(mkfifo(scratch("pipe.mp4"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: scratch("zero.mp4"), withDestinationPath: "/dev/zero")
        try FileManager.default.createSymbolicLink(atPath: scratch("environ.mp4"), withDestinationPath: "/proc/self/environ")
        let refusals = [
            "pipe.mp4": "is a pipe, not a file", "zero.mp4": "is a device, not a file", "environ.mp4": "is a file of the kernel, not footage",
        ]
        for (name, reason) in refusals {
            let error = #expect(throws: MediaError.self) { try VideoFileSource(path: scratch(name)) }
            #expect(error?.reason == reason)
        }
    }
}
