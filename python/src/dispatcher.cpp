// Argument types to specialisations, and the launch itself. The warm path reads the arguments, compares the
// key with the last launch's, compares the captures, and calls the kernel.
#include "dispatcher.h"

#include "gil.h"

#include <pthread.h>

#include <atomic>

namespace lanewise::python {

using frontend::ValueType;
using runtime::Target;

namespace {

std::string list_types(const std::vector<ValueType>& types) {
  std::string text = "(";
  for (const ValueType& type : types) text += (text.size() > 1 ? ", " : "") + frontend::to_string(type);
  return text + ")";
}

// Forks between the first process and this one.
std::atomic<unsigned> forks = 0;

}  // namespace

Dispatcher::Dispatcher(py::object function, JitOptions options, std::vector<std::string> signatures)
    : function_(std::move(function)),
      options_(std::move(options)),
      name_(py::cast<std::string>(function_.attr("__name__"))),
      parameters_(std::make_shared<const Parameters>(function_)) {
  static const int watching = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  LANEWISE_CHECK(watching == 0, "no fork handler could be added");
  for (const std::string& text : signatures) {
    frontend::ParsedSignature parsed = parse_signature(text);
    if (!parsed.name.empty() && parsed.name != "void" && parsed.name != name_)
      throw runtime::LaunchError("the signature \"" + text + "\" is for `" + parsed.name + "`, not for `" +
                                 name_ + "`");
    if (parsed.arguments.size() != parameters_->count())
      throw LaunchTypeError("the signature \"" + text + "\" has " + std::to_string(parsed.arguments.size()) +
                            " arguments, but `" + name_ + "` takes " + std::to_string(parameters_->count()) +
                            ": " + parameters_->list());
    if (parsed.result && !options_.device)
      throw LaunchTypeError("the signature \"" + text +
                            "\" has a result, but a kernel returns nothing: write void(...)");
    signatures_.push_back(std::move(parsed.arguments));
  }
}

Target Dispatcher::target() {
  if (!target_) target_ = options_.target ? *options_.target : runtime::default_target();
  return *target_;
}

std::shared_ptr<const Parameters> Dispatcher::parameters() {
  if (parameters_->describe(function_)) return parameters_;
  auto now = std::make_shared<const Parameters>(function_);
  for (const auto& types : signatures_)
    if (types.size() != now->count())
      throw LaunchTypeError("kernel `" + name_ + "`: its code was replaced by one that takes " +
                            std::to_string(now->count()) + " arguments, but the signature " +
                            list_types(types) + " has " + std::to_string(types.size()));
  return parameters_ = now;
}

std::string Dispatcher::argument_name(size_t parameter) const {
  // Another thread may have given the function other parameters meanwhile.
  std::string name =
      parameter < parameters_->count() ? parameters_->name(parameter) : std::to_string(parameter);
  return "kernel `" + name_ + "`, argument `" + name + "`: ";
}

void Dispatcher::refuse(size_t parameter, const BadArgument& problem) const {
  std::string text = argument_name(parameter) + problem.what;
  if (problem.is_value) throw runtime::LaunchError(text);
  throw LaunchTypeError(text);
}

void Dispatcher::read(ArgumentReader& arguments, PyObject* const* args, size_t count) const {
  for (size_t i = 0; i < count; ++i) {
    try {
      arguments.read(args[i]);
    } catch (const BadArgument& problem) {
      refuse(i, problem);
    }
  }
}

std::vector<ValueType> Dispatcher::types_of(PyObject* const* args, size_t count) {
  BoundArguments bound;
  auto parameters = this->parameters();
  if (!parameters->is_plain(count)) {
    bound = parameters->bind(name_, args, count, nullptr);
    args = bound.values.data();
    count = bound.values.size();
  }
  ArgumentReader arguments(target(), count);
  read(arguments, args, count);
  return arguments.key.types();
}

void Dispatcher::launch(const runtime::LaunchConfig& config, PyObject* const* args, size_t count,
                        PyObject* keywords) {
  BoundArguments bound;
  auto parameters = this->parameters();
  if (keywords || !parameters->is_plain(count)) {
    bound = parameters->bind(name_, args, count, keywords);
    args = bound.values.data();
    count = bound.values.size();
  }
  ArgumentReader arguments(target(), count);
  read(arguments, args, count);
  EntryPtr entry = find(arguments);
  for (size_t i = 0; i < entry->conversions.size(); ++i) {
    const Conversion& conversion = entry->conversions[i];
    if (!conversion.needed()) continue;
    if (conversion.inserted) {
      arguments.leaves.insert(arguments.leaves.begin() + static_cast<ptrdiff_t>(i), runtime::Argument{});
      continue;
    }
    if (conversion.lanes > 0) {
      fold_last_dimension(arguments.leaves[i], conversion.lanes);
      continue;
    }
    try {
      arguments.leaves[i].bits = convert_scalar(arguments.leaves[i].bits, conversion);
    } catch (const BadArgument& problem) {
      refuse(conversion.parameter, problem);
    }
  }
  try {
    GilRelease release;
    entry->code->kernel->launch(config, arguments.leaves);
  } catch (const runtime::RaisedError& error) {
    throw_raised(error, function_);
  }
}

// Comparing captures may run Python code, and with it other threads' launches: what is compared is held here.
Dispatcher::EntryPtr Dispatcher::find(const ArgumentReader& arguments) {
  if (EntryPtr last = last_; last && last_key_ == arguments.key && unchanged(last->code->captures))
    return last;
  EntryPtr entry = find_unchanged(arguments.key);
  if (!entry)
    entry = signatures_.empty() ? compile_entry(arguments.key, arguments.key.types(), arguments.objects)
                                : find_by_signature(arguments);
  last_key_ = arguments.key;
  last_ = entry;
  return entry;
}

Dispatcher::EntryPtr Dispatcher::find_unchanged(const TypeKey& key) const {
  auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  EntryPtr entry = found->second;
  return unchanged(entry->code->captures) ? entry : nullptr;
}

std::shared_ptr<std::recursive_mutex> Dispatcher::compile_mutex() {
  if (!compiling_ || compiling_forks_ != forks) {
    compiling_ = std::make_shared<std::recursive_mutex>();
    compiling_forks_ = forks;
  }
  return compiling_;
}

Dispatcher::EntryPtr Dispatcher::compile_entry(const TypeKey& key, const std::vector<ValueType>& types,
                                               const std::vector<py::object>& objects) {
  auto mutex = compile_mutex();
  std::unique_lock lock(*mutex, std::defer_lock);
  {
    GilRelease release;
    lock.lock();
  }
  // Another thread may have been quicker.
  if (EntryPtr entry = find_unchanged(key)) return entry;
  auto entry = std::make_shared<const Entry>(Entry{compile(types, objects), {}});
  if (auto old = entries_.find(key); old != entries_.end()) std::erase(order_, old->second->code);
  order_.push_back(entry->code);
  entries_[key] = entry;
  return entry;
}

std::shared_ptr<const Specialization> Dispatcher::compile(const std::vector<ValueType>& types,
                                                          const std::vector<py::object>& objects) {
  return compile_kernel(function_, options_, options_.compile_options(target()), types, objects);
}

// The first signature that takes the arguments as they are, else the first that takes them converted.
Dispatcher::EntryPtr Dispatcher::find_by_signature(const ArgumentReader& arguments) {
  std::vector<ValueType> given = arguments.key.types();
  SignatureMismatch mismatch, first_mismatch;
  std::optional<SignatureMatch> best;
  size_t best_index = 0;
  for (size_t i = 0; i < signatures_.size(); ++i) {
    auto match = match_signature(signatures_[i], given, arguments.leaves, mismatch);
    if (i == 0) first_mismatch = mismatch;
    if (!match || (best && !match->conversions.empty())) continue;
    bool is_exact = match->conversions.empty();
    best = std::move(match);
    best_index = i;
    if (is_exact) break;
  }
  if (!best) refuse_types(given, first_mismatch);
  const std::vector<ValueType>& types = signatures_[best_index];
  auto code = compile_entry(TypeKey::of(types), types)->code;
  auto entry = std::make_shared<const Entry>(Entry{std::move(code), std::move(best->conversions)});
  if (best->by_types_alone) entries_[arguments.key] = entry;
  return entry;
}

void Dispatcher::refuse_types(const std::vector<ValueType>& given, const SignatureMismatch& mismatch) const {
  if (signatures_.size() == 1)
    throw LaunchTypeError(argument_name(mismatch.parameter) + "the signature wants " + mismatch.expected +
                          ", not " + mismatch.given);
  std::string text = "kernel `" + name_ + "`: no signature takes " + list_types(given) + "; there are";
  for (const auto& signature : signatures_) text += "\n  " + list_types(signature);
  throw LaunchTypeError(text);
}

void Dispatcher::compile_signatures() {
  for (const auto& types : signatures_) compile_entry(TypeKey::of(types), types);
}

std::shared_ptr<const Specialization> Dispatcher::specialization(const std::string& signature) {
  std::vector<ValueType> types = parse_signature(signature).arguments;
  if (size_t count = parameters()->count(); types.size() != count)
    throw LaunchTypeError("the signature \"" + signature + "\" has " + std::to_string(types.size()) +
                          " arguments, but `" + name_ + "` takes " + std::to_string(count));
  return compile_entry(TypeKey::of(types), types)->code;
}

std::vector<std::shared_ptr<const Specialization>> Dispatcher::specializations() const { return order_; }

int Dispatcher::traverse(visitproc visit, void* arg) const {
  Py_VISIT(function_.ptr());
  // The parameters may be a running launch's too, which keeps them a little longer.
  if (int result = parameters_->traverse(visit, arg)) return result;
  for (const auto& code : order_)
    for (const Capture& capture : code->captures)
      if (int result = capture.traverse(visit, arg)) return result;
  return 0;
}

void Dispatcher::clear() {
  // The function stays: it may be launched once more by another finaliser. Its globals lose us instead.
  // Letting go of captures may run code that comes back here.
  auto last = std::move(last_);
  auto entries = std::move(entries_);
  auto order = std::move(order_);
  auto parameters = std::exchange(parameters_, std::make_shared<const Parameters>());
  entries_.clear();
  order_.clear();
}

}  // namespace lanewise::python
