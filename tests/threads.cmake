# The tests whose threads are real: they run a third time under ThreadSanitizer (NW_SANITIZE=thread, label tsan), and only
# they are built there, by the target threaded_tests. clang and libomp, since libgomp's barriers are unknown to the
# sanitizer; libomp loads libarcher, which explains them.
set(NW_THREADED_TESTS
  experiment_test        # sweeps on several threads, which claim points in one store
  trained_test           # training runs side by side
  training_progress_test # progress that they report together
  fit_test               # simulations of a fit
  host_backend_test      # the queues of offloaded work
  offload_test
  trainer_test           # workers that exchange gradients, collectives
  codec_rows_test        # the parallel rows of kernels
  threelc_rows_test select_test sparse_test l2norm_test topk_rows_test adt_norm_test gemm_test
  )

set(NW_SANITIZE_THREADS OFF)
if("thread" IN_LIST NW_SANITIZE)
  set(NW_SANITIZE_THREADS ON)
  add_custom_target(threaded_tests)
endif()
