// The module AVFAudio: the app's audio session, which AVFoundation has here. Players, recorders and engines are absent; Coverage.md lists them.
@_exported import AVFoundation
