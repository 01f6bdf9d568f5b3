# The tests whose threads are real. They run a third time under ThreadSanitizer (NW_SANITIZE=thread, label tsan), and
# there nothing else is built: see the target threaded_tests. With clang and libomp, since the sanitizer does not know
# libgomp's barriers; libomp loads libarcher, which explains its own. Kernels' tests that try every row at every length
# take minutes there: those that are listed share their code.
set(NW_THREADED_TESTS
  experiment_test        # sweeps on several threads, which claim points in one store
  tune_search_test       # blocks of layouts on several threads, which share the best so far
  trained_test           # training runs side by side
  training_progress_test # progress that they report together
  fit_test               # simulations of a fit
  host_backend_test      # the queues of offloaded work
  offload_test
  trainer_bits_test      # workers that exchange gradients, on different numbers of threads
  allreduce_exchange_test exchange_test
  exec_execution_test    # ranks as threads, each with another thread that encodes and decodes for it
  sparse_test l2norm_test topk_rows_test adt_norm_test gemm_test # parallel rows of kernels
  library_threads_test   # callers of one coder
  )

set(NW_SANITIZE_THREADS OFF)
if("thread" IN_LIST NW_SANITIZE)
  set(NW_SANITIZE_THREADS ON)
  add_custom_target(threaded_tests)
endif()
