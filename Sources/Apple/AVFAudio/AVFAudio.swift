// The module AVFAudio: the audio session of the app, which the capture graph has, formats, buffers, files, a converter and a recorder of sound, and the
// tap of an engine's microphone. Players are absent, and an engine's other nodes are names that compile; Coverage.md lists them.
@_exported import AVFCapture
