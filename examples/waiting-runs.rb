# What the tasks of the shop wait for: plans that somebody has to approve, questions to answer, runs for an agent, and what failed.
runs = list("/task_runs", status: ["needs_input", "pending", "failed"]).group_by { |run| run["status"] }
{
  to_answer: runs.fetch("needs_input", []).map { |run| { run: run["id"], task: run["task_name"], question: run["question"] } },
  for_an_agent: runs.fetch("pending", []).map { |run| { run: run["id"], task: run["task_name"], since: run["created_at"] } },
  failed: runs.fetch("failed", []).map { |run| { task: run["task_name"], because: run["error_message"] } }
}
