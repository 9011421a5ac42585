// SPDX-License-Identifier: MIT

import Foundation

// R123, R124, P46: calls that are asked for outside of the app: Recents, a contact's card, Siri.
extension PhoneCore {
    mutating func tapRecent(_ call: UUID?) throws(PhoneUserError) {
        guard let recent = call == nil ? recents.first : recents.first(where: { $0.call == call }) else {
            throw call.map { .unknownCall($0) } ?? .noCall
        }
        log(.user, "tapped a call in Recents", rule: "R123", app: recent.app)
        if let kind = OtherCallKind.allCases.first(where: { $0.app == recent.app }) {
            return dial(random.uuid(), kind: kind, handle: recent.handle)
        }
        try continueActivity(handle: recent.handle, name: recent.name, isVideo: recent.hasVideo, in: recent.app)
    }

    mutating func requestCall(
        _ source: CallRequestSource, handle: HandleValue, isVideo: Bool, app: String
    ) throws(PhoneUserError) {
        switch source {
        case .recents: log(.user, "asked for a call in Recents", rule: "R123", app: app)
        case .contacts: log(.user, "asked for a call on a contact's card", rule: "R123", app: app)
        case .siri: log(.user, "asked Siri for a call", rule: "R123", app: app)
        }
        if let kind = OtherCallKind.allCases.first(where: { $0.app == app }) {
            return dial(random.uuid(), kind: kind, handle: handle)
        }
        try continueActivity(handle: handle, name: contact(for: handle)?.name, isVideo: isVideo, in: app)
    }

    /// Opens the app and hands it an INStartCallIntent, as soon as it has an application object.
    private mutating func continueActivity(
        handle: HandleValue?, name: String?, isVideo: Bool, in bundle: String
    ) throws(PhoneUserError) {
        guard apps[bundle] != nil else { throw .appNotInstalled(bundle) }
        let activity = UserActivityValue(
            activityType: "INStartCallIntent", handle: handle, displayName: name.map(DisplayText.shown),
            isVideo: isVideo)
        // The latest request counts (R124).
        let limit = date(after: settings.activityLimit)
        apps[bundle]?.pendingActivity = PendingActivity(activity: activity, limit: limit)
        open(bundle)
        deliverActivity(to: bundle)
    }

    /// The process has an application object.
    mutating func attach(_ application: UUID, to process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        processes[process]?.application = application
        deliverActivity(to: bundle)
    }

    private mutating func deliverActivity(to bundle: String) {
        guard let activity = apps[bundle]?.pendingActivity?.activity, let process = process(of: bundle),
            let application = process.application
        else { return }
        apps[bundle]?.pendingActivity = nil
        log(.phone, "hands the app an INStartCallIntent", rule: "R123", app: bundle)
        let delivery = deliver(
            .application(endpoint: application, .continueActivity(activity)), to: process.id)
        followUps[delivery] = .activity(bundle)
    }

    mutating func activityUndelivered(_ bundle: String) {
        guard apps[bundle]?.process != nil else { return }
        complainAboutActivity(bundle)
    }

    mutating func activityIsLate(_ bundle: String) {
        apps[bundle]?.pendingActivity?.limit = nil
        complainAboutActivity(bundle)
    }

    mutating func complainAboutActivity(_ bundle: String) {
        violate(
            "R123", "the user asked for a call, and nobody in the app took it",
            advice: "Handle INStartCallIntent in application(_:continue:restorationHandler:), at every launch.",
            app: bundle)
    }
}
