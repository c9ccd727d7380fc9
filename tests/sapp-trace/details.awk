# A kernel_details.csv of a stage, with times known by construction. Set: form (full, level0, older), order (of F and B,
# one a micro-batch; f and b are of a chunk without the model's ends), layers, head, tail, recompute (none, full,
# half of the layers, attention), moe, transfers,
# steps; ring: attentions in two parts, between which something is sent round; aside: every third kernel has another
# beside it on a stream of its own; device: its number. Kernels of a layer take 100 us each, with 25 us before the next:
# wall 125 us a kernel.
BEGIN {
	if (!steps) steps = 1
	stream = 2
	if (form == "level0") print "Device_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)," \
		"Block Dim"
	else if (form == "older") print "Step Id,Model ID,Task ID,Stream ID,Name,Type,Accelerator Core,Start " \
		"Time(us),Duration(us),Wait Time(us),Block Dim,Mix Block Dim,Input Shapes,Input Data Types"
	else print "Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us)," \
		"Duration(us),Wait Time(us),Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types"
	now = 1764246877000000
	forward = "RmsNorm MatMulV3 RotaryPositionEmbedding FlashAttentionScore MatMulV3 Add RmsNorm MatMulV3 " \
		"SwiGlu MatMulV3 Add"
	backward = "MatMulV2 MatMulV3 SwiGluGrad MatMulV2 RmsNormGrad Add MatMulV3 FlashAttentionScoreGrad " \
		"RotaryPositionEmbeddingGrad MatMulV2 RmsNormGrad Cast"
	for (step = 1; step <= steps; step++) {
		kernel("ZerosLike", 50, 500)
		for (i = 1; i <= length(order); i++)
			unit(substr(order, i, 1), i)
		if (transfers) collective("hcom_reduceScatter__097_" step "_1", 3000)
		for (i = 0; i < 30; i++) { kernel("LpNormV2", 10, 5); kernel("Pows", 2, 3) }
		for (i = 0; i < 20; i++) kernel("ApplyAdamW", 40, 10)
		now += 2000
	}
}
function unit(c, i, h, t) {
	h = head; t = tail
	if (c ~ /[fb]/) head = tail = 0
	if (c ~ /[Ff]/) F(); else B(substr(order, i + 1) !~ /[Bb]/)
	head = h; tail = t
}
function row(name, type, core, dur, shapes) {
	if (form == "level0") printf "0,%s,%s,%s,%.0f.250\t,%s,0,40\n", name, type, core, now, dur
	else if (form == "older") printf "%d,42,7,2,%s,%s,%s,%.0f.5,%s,0,40,0,%s,FLOAT\n", step, name, type, core,
		now, dur, shapes
	else printf "%d,%d,42,7,%d,%s,%s,dynamic,%s,%.0f.250\t,%s,0,40,0,NO,%s,FLOAT\n", step, device, stream, name,
		type, core, now, dur, shapes
}
function kernel(type, dur, gap) {
	if (ring && type ~ /^FlashAttention/) {
		row("aclnn" type "_" type, type, "AI_CORE", dur / 2, "N/A")
		now++
		row("hcom_batchSendRecv__777_" ++rings "_1", "hcom_batchSendRecv_", "COMMUNICATION", dur / 4, "N/A")
		now += dur / 2 - 1
		row("aclnn" type "_" type, type, "AI_CORE", dur / 2, "N/A")
		now += dur / 2 + gap
		return
	}
	row("aclnn" type "_" type "AiCore_" type, type, "AI_VECTOR_CORE", dur, "\"\"\"4096,1,1024;1024\"\"\"")
	if (aside && ++beside % 3 == 0) { stream = 9; now += dur / 2; row("aclnnCast_Cast", "Cast", "AI_VECTOR_CORE",
		dur / 4, "N/A"); now -= dur / 2; stream = 2 }
	now += dur + gap
}
function kernels(list, n, i, k) { n = split(list, k, " "); for (i = 1; i <= n; i++) kernel(k[i], 100, 25) }
function collective(name, dur) { row(name, substr(name, 1, index(name, "__")), "COMMUNICATION", dur, "N/A");
	now += dur + 5 }
function transfer() { if (transfers) collective("hcom_batchSendRecv__128_" ++sent "_1", 600) }
# A mixture of experts has as many kernels as experts have tokens.
function experts(i, n) { if (moe) { n = 2 + (++seen * 7) % 5;
	for (i = 0; i < n; i++) kernel("GroupedMatmul", 100, 25) } }
function F(l) {
	if (head) kernels("GatherV2 Muls"); else transfer()
	for (l = 0; l < layers; l++) { kernels(forward); experts() }
	if (tail) { kernels("RmsNorm"); kernel("MatMulV3", 900, 100); kernel("LogSoftmaxV2", 400, 100) } else transfer()
}
function B(last, l) {
	if (tail) { kernel("Fill", 5, 95); kernel("LogSoftmaxGrad", 500, 100); kernel("MatMulV3", 900, 100)
		kernel("MatMulV2", 900, 100); kernels("RmsNormGrad") } else transfer()
	for (l = 0; l < layers; l++) {
		if (recompute == "full" || (recompute == "half" && l >= layers / 2)) kernels(forward)
		if (recompute == "attention") kernels("FlashAttentionScore")
		kernels(backward)
	}
	if (head) { kernels("EmbeddingDenseGradV2 Add") } else if (!last) transfer()
	else transfer()
}
