// SPDX-License-Identifier: MIT
#pragma once
#include <gst/gst.h>

// Macros and variadic functions of GStreamer and GLib, which Swift cannot call, as functions. The SDP and WebRTC
// libraries are loaded at run time: their headers belong to packages that pull in hundreds of others.

/// GstWebRTCSessionDescription of libgstwebrtc: type is 1 for an offer, 3 for an answer.
typedef struct {
    int type;
    gpointer sdp;
} OffhookDescription;

typedef void (*OffhookNotify)(GstElement *element, GParamSpec *property, gpointer context);
typedef void (*OffhookPadAdded)(GstElement *element, GstPad *pad, gpointer context);
typedef void (*OffhookCandidate)(GstElement *element, guint line, const gchar *candidate, gpointer context);
typedef void (*OffhookElementAdded)(GstBin *bin, GstBin *child, GstElement *element, gpointer context);

static inline void offhook_connect_notify(
    GstElement *element, const gchar *signal, OffhookNotify callback, gpointer context, GClosureNotify destroy) {
    g_signal_connect_data(element, signal, G_CALLBACK(callback), context, destroy, (GConnectFlags)0);
}

static inline void offhook_connect_pad_added(
    GstElement *element, OffhookPadAdded callback, gpointer context, GClosureNotify destroy) {
    g_signal_connect_data(element, "pad-added", G_CALLBACK(callback), context, destroy, (GConnectFlags)0);
}

static inline void offhook_connect_candidate(
    GstElement *element, OffhookCandidate callback, gpointer context, GClosureNotify destroy) {
    g_signal_connect_data(element, "on-ice-candidate", G_CALLBACK(callback), context, destroy, (GConnectFlags)0);
}

static inline void offhook_connect_element_added(
    GstElement *element, OffhookElementAdded callback, gpointer context, GClosureNotify destroy) {
    g_signal_connect_data(element, "deep-element-added", G_CALLBACK(callback), context, destroy, (GConnectFlags)0);
}

/// Asks webrtcbin for a description; action is "create-offer" or "create-answer".
static inline void offhook_create_description(GstElement *webrtc, const gchar *action, GstPromise *promise) {
    g_signal_emit_by_name(webrtc, action, NULL, promise);
}

/// Gives webrtcbin a description; action is "set-local-description" or "set-remote-description".
static inline void offhook_set_description(
    GstElement *webrtc, const gchar *action, OffhookDescription *description, GstPromise *promise) {
    g_signal_emit_by_name(webrtc, action, description, promise);
}

static inline void offhook_add_candidate(GstElement *webrtc, guint line, const gchar *candidate) {
    g_signal_emit_by_name(webrtc, "add-ice-candidate", line, candidate);
}

/// Makes the ICE agent use one address only.
static inline gboolean offhook_add_local_address(gpointer agent, const gchar *address) {
    gboolean done = FALSE;
    g_signal_emit_by_name(agent, "add-local-ip-address", address, &done);
    return done;
}

static inline gpointer offhook_get_object(gpointer object, const gchar *property) {
    gpointer value = NULL;
    g_object_get(object, property, &value, NULL);
    return value;
}

static inline gchar *offhook_get_string(gpointer object, const gchar *property) {
    gchar *value = NULL;
    g_object_get(object, property, &value, NULL);
    return value;
}

static inline gint offhook_get_enum(gpointer object, const gchar *property) {
    gint value = 0;
    g_object_get(object, property, &value, NULL);
    return value;
}

static inline void offhook_set_boolean(gpointer object, const gchar *property, gboolean value) {
    g_object_set(object, property, value, NULL);
}

static inline void offhook_set_argument(gpointer object, const gchar *property, const gchar *value) {
    gst_util_set_object_arg(G_OBJECT(object), property, value);
}

static inline gboolean offhook_has_property(gpointer object, const gchar *property) {
    return g_object_class_find_property(G_OBJECT_GET_CLASS(object), property) != NULL;
}

static inline gchar *offhook_factory_name(GstElement *element) {
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory ? gst_object_get_name(GST_OBJECT(factory)) : NULL;
}

static inline gboolean offhook_bin_add(GstElement *bin, GstElement *element) {
    return gst_bin_add(GST_BIN(bin), element);
}

static inline GstBus *offhook_bus(GstElement *pipeline) { return gst_element_get_bus(pipeline); }

/// Takes over a new element's floating reference, so that every element here has one counted owner.
static inline GstElement *offhook_make_element(const gchar *factory) {
    GstElement *element = gst_element_factory_make(factory, NULL);
    return element ? (GstElement *)gst_object_ref_sink(element) : NULL;
}

static inline void offhook_unref(gpointer object) { g_object_unref(object); }

static inline gpointer offhook_ref(gpointer object) { return g_object_ref(object); }

/// The boxed value of a structure's field, owned by the structure; NULL when there is none.
static inline gpointer offhook_field_boxed(const GstStructure *structure, const gchar *field) {
    const GValue *value = structure ? gst_structure_get_value(structure, field) : NULL;
    return value && G_VALUE_HOLDS_BOXED(value) ? g_value_get_boxed(value) : NULL;
}

/// Exchanges the buffer that a pad probe was called for.
static inline void offhook_probe_replace(GstPadProbeInfo *info, GstBuffer *buffer) {
    GstBuffer *old = GST_PAD_PROBE_INFO_BUFFER(info);
    GST_PAD_PROBE_INFO_DATA(info) = buffer;
    if (old) gst_buffer_unref(old);
}

/// A buffer with the sound given and the old buffer's times.
static inline GstBuffer *offhook_sound_buffer(const void *bytes, gsize size, GstBuffer *old) {
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, size, NULL);
    if (!buffer) return NULL;
    gst_buffer_fill(buffer, 0, bytes, size);
    GST_BUFFER_PTS(buffer) = GST_BUFFER_PTS(old);
    GST_BUFFER_DURATION(buffer) = GST_BUFFER_DURATION(old);
    GST_BUFFER_OFFSET(buffer) = GST_BUFFER_OFFSET(old);
    GST_BUFFER_OFFSET_END(buffer) = GST_BUFFER_OFFSET_END(old);
    return buffer;
}

static inline GstClockTime offhook_buffer_time(GstBuffer *buffer) { return GST_BUFFER_PTS(buffer); }

static inline GstMessageType offhook_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
