#include "runtime/cuda/graph.h"

namespace lanewise::runtime::cuda {
namespace {

class CudaGraph final : public Graph {
 public:
  CudaGraph(const Device& device, CUgraph graph) : device_(device), graph_(graph) {
    target = Target::Cuda;
    try {
      CUDA_CALL(cuGraphInstantiateWithFlags, (&executable_, graph_, 0));
    } catch (...) {
      // The destructor does not run for what was not constructed.
      driver_state().driver.cuGraphDestroy(graph_);
      throw;
    }
  }
  ~CudaGraph() override {
    cleanup(device_, [&] {
      driver_state().driver.cuGraphExecDestroy(executable_);
      driver_state().driver.cuGraphDestroy(graph_);
    });
  }
  void launch(void* stream) override {
    ContextScope scope(device_);
    CUDA_CALL(cuGraphLaunch, (executable_, static_cast<CUstream>(stream)));
  }

 private:
  const Device& device_;
  CUgraph graph_;
  CUgraphExec executable_ = nullptr;
};

}  // namespace

std::shared_ptr<Graph> make_graph(const Device& device, CUgraph graph) {
  return std::make_shared<CudaGraph>(device, graph);
}

bool is_capturing(CUstream stream) {
  int status = 0;  // 1: active
  const Driver& driver = driver_state().driver;
  return driver.cuStreamIsCapturing && driver.cuStreamIsCapturing(stream, &status) == kSuccess && status != 0;
}

}  // namespace lanewise::runtime::cuda
