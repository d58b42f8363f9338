// Streams, events and graphs.
#include "runtime/c_api/api.h"

namespace lanewise::c_api {
namespace {

// Results of calls are left untouched unless they succeed: made first, then handed over.
template <class Handle, class Made>
void hand_over(Handle** out, Made made) {
  *out = new Handle{std::move(made)};
}

runtime::Stream& stream_of(lw_stream* stream) { return *require(stream, "stream").stream; }

}  // namespace

void* handle_of(const lw_stream* stream, runtime::Target target) {
  if (!stream) return nullptr;
  if ((stream->stream->target == runtime::Target::Cuda) != (target == runtime::Target::Cuda))
    throw InvalidCall("the stream is of another target");
  return stream->stream->handle;
}

}  // namespace lanewise::c_api

using namespace lanewise;
using namespace lanewise::c_api;

lw_status lw_stream_create(lw_target target, const lw_stream_options* options, lw_stream** stream) {
  return guarded([&] {
    require(stream, "stream");
    lw_stream_options full = full_struct(options);
    hand_over(stream, runtime::make_stream(to_target(target), {full.non_blocking != 0, full.priority}));
  });
}

lw_status lw_stream_wrap(lw_target target, void* handle, lw_stream** stream) {
  return guarded([&] {
    require(stream, "stream");
    hand_over(stream, runtime::existing_stream(to_target(target), handle));
  });
}

void lw_stream_release(lw_stream* stream) { delete stream; }

void* lw_stream_handle(const lw_stream* stream) { return stream ? stream->stream->handle : nullptr; }

lw_status lw_stream_priorities(lw_target target, int32_t* lowest, int32_t* highest) {
  return guarded([&] {
    require(lowest, "lowest");
    require(highest, "highest");
    runtime::PriorityRange range = runtime::priority_range(to_target(target));
    *lowest = range.least;
    *highest = range.greatest;
  });
}

lw_status lw_stream_synchronize(lw_stream* stream) {
  return guarded([&] { stream_of(stream).synchronize(); });
}

lw_status lw_stream_is_done(lw_stream* stream, int32_t* done) {
  return guarded([&] {
    require(done, "done");
    *done = stream_of(stream).is_done() ? 1 : 0;
  });
}

lw_status lw_stream_wait(lw_stream* stream, const lw_event* event) {
  return guarded([&] {
    const runtime::Event& waited_for = *require(event, "event").event;
    handle_of(&require(stream, "stream"), waited_for.target);
    stream_of(stream).wait(waited_for);
  });
}

lw_status lw_stream_call(lw_stream* stream, lw_callback function, void* context) {
  return guarded([&] {
    require(stream, "stream");
    if (!function) throw InvalidCall("function is NULL");
    stream_of(stream).call([=] { function(context); });
    clear_errors();  // what the function's own calls left
  });
}

lw_status lw_stream_begin_capture(lw_stream* stream) {
  return guarded([&] { stream_of(stream).begin_capture(); });
}

lw_status lw_stream_end_capture(lw_stream* stream, lw_graph** graph) {
  return guarded([&] {
    require(graph, "graph");
    hand_over(graph, stream_of(stream).end_capture());
  });
}

lw_status lw_graph_launch(lw_graph* graph, lw_stream* stream) {
  return guarded([&] {
    runtime::Graph& launched = *require(graph, "graph").graph;
    launched.launch(handle_of(stream, launched.target));
  });
}

void lw_graph_release(lw_graph* graph) { delete graph; }

lw_status lw_event_create(lw_target target, int32_t timing, lw_event** event) {
  return guarded([&] {
    require(event, "event");
    hand_over(event, runtime::make_event(to_target(target), timing != 0));
  });
}

void lw_event_release(lw_event* event) { delete event; }

void* lw_event_handle(const lw_event* event) { return event ? event->event->handle : nullptr; }

lw_status lw_event_record(lw_event* event, lw_stream* stream) {
  return guarded([&] {
    runtime::Event& recorded = *require(event, "event").event;
    recorded.record(handle_of(stream, recorded.target));
  });
}

lw_status lw_event_is_done(const lw_event* event, int32_t* done) {
  return guarded([&] {
    require(done, "done");
    *done = require(event, "event").event->is_done() ? 1 : 0;
  });
}

lw_status lw_event_synchronize(const lw_event* event) {
  return guarded([&] { require(event, "event").event->synchronize(); });
}

lw_status lw_event_elapsed(const lw_event* start, const lw_event* end, double* milliseconds) {
  return guarded([&] {
    require(milliseconds, "milliseconds");
    const runtime::Event& from = *require(start, "start").event;
    const runtime::Event& to = *require(end, "end").event;
    if (from.target != to.target) throw InvalidCall("the events are of different targets");
    *milliseconds = to.milliseconds_since(from);
  });
}
