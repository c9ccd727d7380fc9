# A profile as PyTorch's profiler writes it, of 3 layers, with times known by construction. Set: names (module,
# annotation, device, plain, phases, none), link (sequence, flow), checkpoint, steps, micro, npu; reduce: us of an
# all-reduce behind the backwards, and wait: what of them is waiting, as a kernel that says what it is (by: kernel), or
# as one whose caller does (by: caller); p2p: a send in front of each forward, exchange: an all-to-all there; rank, and
# stages if it says; tp: us of an all-reduce of 1 MB in each forward, late: us more in the first layer. Each
# layer launches two kernels of 100 us forward and three backward; kernels run 10 us apart, 500 us behind their launch.
BEGIN {
	if (!steps) steps = 1
	if (!micro) micro = 1
	now = 1000000; device = now; id = 0; seq = 100
	printf "{\"schemaVersion\": 1,"
	if (stages) printf "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d, \"world_size\": %d, " \
		"\"pg_config\": [{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", \"ranks\": [0, 1]}, " \
		"{\"pg_name\": \"3\", \"pg_desc\": \"mesh_pp\", \"ranks\": [0, 1]}]},", rank, stages
	printf "\"traceEvents\": [\n"
	printf "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %s, \"tid\": 0, \"args\": {\"name\": \"%s\"}}",
		npu ? 800 : 0, npu ? "Ascend Hardware" : "python"
	for (step = 0; step < steps; step++) {
		begin = now
		for (m = 0; m < micro; m++) {
			if (p2p) nccl("send", "SendRecv", "[0, 1]", 300)
			if (exchange) nccl("all_to_allv", "SendRecv", "[0, 1]", 300)
			launch(1, "embedding_kernel", 50)
			for (l = 0; l < 3; l++) { first[l] = seq; from = now; mark = device; forward(1, l);
			span(1, l, from, "F"); gpu(l, mark) }
			launch(1, "loss_kernel", 40)
			backwards = now
			for (l = 2; l >= 0; l--) backward(l)
		}
		collective()
		if (reduce) nccl("allreduce", "AllReduce_Sum_f32_RING_LL", "[0, 1]", reduce + wait)
		from = now; launch(1, "multi_tensor_adam", 200);
		x("Optimizer.step#AdamW.step", "user_annotation", 1, 1, from, now - from, "")
		now = (now > device ? now : device) + 1000
		x("ProfilerStep#" step, "user_annotation", 1, 1, begin, now - begin, "")
		device = now
	}
	printf "\n]}\n"
}
function x(name, cat, pid, tid, ts, dur, args) {
	printf ",\n{\"ph\": \"X\", \"name\": \"%s\"%s, \"pid\": %s, \"tid\": %s, \"ts\": %.3f, \"dur\": %.3f%s}",
		name, cat == "" ? "" : ", \"cat\": \"" cat "\"", pid, tid, ts, dur,
		args == "" ? "" : ", \"args\": {" args "}"
}
function launch(tid, kernel, dur) {
	now += 10; id++
	device = (device > now + 500 ? device : now + 500) + 10
	if (npu) {
		printf ",\n{\"ph\": \"s\", \"name\": \"torch_to_npu\", \"cat\": \"async_npu\", \"id\": %d, \"pid\": " \
		"1, \"tid\": %d, \"ts\": \"%.3f\"}", 900000 + id, tid, now
		printf ",\n{\"ph\": \"f\", \"name\": \"torch_to_npu\", \"cat\": \"async_npu\", \"id\": %d, \"pid\": " \
		"800, \"tid\": 2, \"ts\": \"%.3f\"}", 900000 + id, device
		x(kernel, "", 800, 2, device, dur, "\"Task Type\": \"AI_CORE\"")
	} else {
		x("cudaLaunchKernel", "cuda_runtime", 1, tid, now, 5, "\"correlation\": " id)
		x(kernel, "kernel", 0, 7, device, dur, "\"stream\": 7, \"correlation\": " id)
	}
	device += dur; now += 10
}
function nccl(what, kernel, ranks, dur, also, args) {
	now += 10; id++
	device = (device > now + 500 ? device : now + 500) + 10
	args = sprintf("\"Collective name\": \"%s\", \"Process Group Name\": \"7\", \"Process Group Ranks\": \"%s\"",
		what, ranks) also
	if (by == "caller") x("record_param_comms", "cpu_op", 1, 1, now - 3, 10, args)
	x("cudaLaunchKernel", "cuda_runtime", 1, 1, now, 5, "\"correlation\": " id)
	x("ncclDevKernel_" (by == "caller" ? "Generic" : kernel) "(ncclDevKernelArgsStorage<4096ul>)", "kernel", 0, 9,
		device, dur, "\"stream\": 9, \"correlation\": " id (by == "caller" ? "" : ", " args))
	device += dur; now += 10
}
function forward(tid, l, k) {
	for (k = 0; k < 2; k++) {
		if (tp && k) nccl("allreduce", "AllReduce_Sum_bf16_RING_LL", "[0, 1]", tp + (l ? 0 : late),
			", \"In msg nelems\": 500000, \"Out msg nelems\": 500000, \"dtype\": \"BFloat16\"")
		now += 5
		from_op = now
		launch(tid, k ? "relu_kernel" : "volta_sgemm_tn", 100)
		op("aten::op", tid, from_op - 2, now + 2, link == "flow" ? -1 : seq, 0)
		if (link == "flow") flow("s", seq, tid, from_op)
		seq++
		now += 5
	}
}
function op(name, tid, from, to, s, f) {
	x(name, "cpu_op", 1, tid, from, to - from, s < 0 ? "" : "\"Sequence number\": " s ", \"Fwd thread id\": " f) }
function flow(ph, n, tid, ts) {
	printf ",\n{\"ph\": \"%s\", \"name\": \"fwdbwd\", \"cat\": \"fwdbwd\", \"id\": %d, \"pid\": 1, \"tid\": %d, " \
		"\"ts\": %.3f}", ph, n, tid, ts }
function backward(l, k, s, begin_op, b) {
	b = now
	if (checkpoint) {
		now += 5; begin_op = now
		forward(2, l)
		span(2, l, begin_op, "F")
		op("CheckpointFunctionBackward", 2, begin_op - 2, now + 2, first[l], 1)
		now += 5
	}
	for (k = 1; k >= 0; k--) {
		now += 5; begin_op = now; s = first[l] + k
		launch(2, k ? "relu_backward_kernel" : "volta_sgemm_nn", 100)
		if (!k) launch(2, "volta_sgemm_nt", 100)
		if (link == "flow") flow("f", s, 2, begin_op)
		op("autograd::engine::evaluate_function: OpBackward0", 2, begin_op - 2, now + 2,
		link == "flow" ? -1 : s, 1)
		now += 5
	}
	if (names == "phases") x("attn(B)", "user_annotation", 1, 1, b, now - b, "")
}
function span(tid, l, from, phase) {
	if (names == "module") {
		x("nn.Module: TransformerBlock_" l, "python_function", 1, tid, from - 3, now - from + 6, "")
		x("nn.Module: TransformerBlock_" l, "python_function", 1, tid, from - 2, now - from + 4, "")
		x("nn.Module: LayerNorm_" l, "python_function", 1, tid, from - 1, 30, "")
	}
	if (names == "annotation") x("model.layers." l, "user_annotation", 1, tid, from - 3, now - from + 6, "")
	if (names == "plain" && tid == 1) x("TransformerBlock", npu ? "cpu_op" : "user_annotation", 1, tid, from - 3,
		now - from + 6, "")
	if (names == "phases") x("attn(F)", "user_annotation", 1, tid, from - 3, now - from + 6, "")
}
function gpu(l, mark) {
	if (names == "device") x("layers." l, "gpu_user_annotation", 0, 7, mark + 1, device - mark, "") }
# Waits for others, on a stream of its own, while backwards run.
function collective() { if (!npu) { id++;
	x("cudaLaunchKernel", "cuda_runtime", 1, 2, backwards + 1, 5, "\"correlation\": " id);
		x("ncclDevKernel_AllReduce_Sum_bf16", "kernel", 0, 8, backwards + 520, 5000,
		"\"stream\": 8, \"correlation\": " id) } }
