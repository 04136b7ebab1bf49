package vocabulary

import "strings"

// incidental lists the labels that may differ between repeats of a run. All other labels distinguish runs: an
// unknown name that a tool uses counts as a setting until it is listed here.
var incidental = set("", `repeat seed date published source past_commit`)

// incidentalArguments lists such arguments of tools, whose labels begin with x_: times, addresses, names of
// runs and files, and output options.
var incidentalArguments = set("x_", `
	date time timestamp datetime started ended start_time end_time start_date end_date
	build_time total_evaluation_time_s test_time runs issue_rate git_revision exit_code signal seed
	host hostname port url base_url server_url api_base api_url address ip pid user username uptime load_average
	tag tags label name title comment notes note description experiment_name
	id uuid run_id run_name job_id request_id request_id_prefix gpu_uuid served_model_name
	file filename output output_file output_dir output_path output_json log log_file log_dir
	result_dir result_file result_filename save_result save_detailed append_result artifact_dir profile_export_file
	percentile_metrics metric_percentiles disable_tqdm ready_check_timeout_sec profile profile_dir verbose quiet
`)

func set(prefix, names string) map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(names) {
		out[prefix+name] = true
	}
	return out
}

// Incidental reports whether runs may differ in a label and still be repeats of
// one another: a time, a host, a file name, a seed, a standard deviation.
func Incidental(label string) bool {
	return incidental[label] || incidentalArguments[label] ||
		strings.HasPrefix(label, "x_") && (strings.HasSuffix(label, "_std") || strings.HasSuffix(label, "_stddev") || strings.HasSuffix(label, "_timestamp"))
}
