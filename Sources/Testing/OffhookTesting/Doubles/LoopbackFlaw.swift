// SPDX-License-Identifier: MIT

/// One clause of the media contract that a loopback engine breaks, so that the clause's trial can be seen to fail.
enum LoopbackFlaw: String, Hashable, Sendable, CaseIterable {
    /// M1: a method takes its time.
    case blocks
    /// M2: a second close says something.
    case secondCloseTalks
    /// M3: an event comes after close.
    case talksAfterClose
    /// M4: connected comes twice.
    case connectsTwice
    /// M4: events come from two threads at once.
    case talksFromTwoThreads
    /// M5: an event comes from inside a method.
    case callsInside
    /// M6: the other side is played while the switch is closed.
    case playsWhileClosed
    /// M7: remoteMedia comes twice.
    case repeatsRemoteMedia
    /// M7: connected counts as media.
    case joinsAsMedia
    /// M8: interrupted comes twice in a row.
    case repeatsInterrupted
    /// M9: mute stops what is heard.
    case deafWhileMuted
    /// M9: hold goes on sending.
    case sendsWhileHeld
    /// M10: media that stops is a failure.
    case failsInSilence
    /// M11: the audio session is set.
    case touchesAudioSession
    /// M12: tones come in the wrong order.
    case reversesTones
    /// M13: the picture's word is the wrong one.
    case swapsVideo
    /// M14: mute stops the microphone while translating.
    case stopsMicrophone
    /// M15: signals of every generation are taken.
    case takesAnyGeneration
    /// M16: an event follows the failure.
    case goesOnAfterFailure
    /// M17: a second preparation throws.
    case preparesOnce
    /// M18: closing one session fails the others.
    case closesAll
}
