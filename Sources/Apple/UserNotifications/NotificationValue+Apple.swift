// SPDX-License-Identifier: MIT

import Foundation
package import VirtualPhone

extension UNNotificationRequest {
    /// The request as the boundary carries it.
    package func value(app: String) -> NotificationValue {
        NotificationValue(
            identifier: identifier, app: app, title: content.title, subtitle: content.subtitle, body: content.body,
            badge: content.badge?.intValue, category: content.categoryIdentifier, thread: content.threadIdentifier,
            hasSound: content.sound != nil, userInfo: UNNotificationRequest.json(content.userInfo))
    }

    /// The request that the boundary's value describes.
    package convenience init(_ value: NotificationValue) {
        let content = UNMutableNotificationContent()
        content.title = value.title
        content.subtitle = value.subtitle
        content.body = value.body
        content.badge = value.badge.map { NSNumber(value: $0) }
        content.categoryIdentifier = value.category
        content.threadIdentifier = value.thread
        content.sound = value.hasSound ? .default : nil
        if let object = try? JSONSerialization.jsonObject(with: value.userInfo) as? [String: Any] {
            content.userInfo = object
        }
        self.init(identifier: value.identifier, content: content, trigger: nil)
    }

    /// What JSON can say of the user info.
    private static func json(_ userInfo: [AnyHashable: Any]) -> Data {
        var object: [String: Any] = [:]
        for (key, value) in userInfo {
            if let key = key as? String, JSONSerialization.isValidJSONObject([value]) { object[key] = value }
        }
        return (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])) ?? Data("{}".utf8)
    }
}

extension UNNotification {
    /// The notification that the boundary's value describes.
    package convenience init(_ value: NotificationValue) {
        self.init(request: UNNotificationRequest(value), date: value.date)
    }
}
