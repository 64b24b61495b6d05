# Makes a task that reports the orders of the day before each morning at 8, and mails the report. Makes it once.
name = "Orders of yesterday"
existing = list("/tasks", trigger_type: "schedule").find { |task| task["name"] == name }
return { task: existing["id"], next_run_at: existing["next_run_at"], new: false } if existing

# The task's own program. Text that it prints becomes the summary of each run.
prompt = <<~'RUBY'
  # ruby
  yesterday = in_zone(run["started_at"]).to_date - 1
  orders = list("/orders", paid_at: day(yesterday)).to_a
  puts "#{orders.size} orders on #{yesterday}"
  orders.group_by { |order| order["currency"] }.each do |currency, paid|
    puts "#{paid.sum { |order| order["amount"] - order["amount_refunded"] } / 100.0} #{currency.upcase}"
  end
RUBY
task = post("/tasks",
  name: name, prompt: prompt, trigger_type: "schedule", cron_expression: "0 8 * * *", timezone: get("/account")["timezone"],
  delivery_methods: ["email"])
{ task: task["id"], next_run_at: task["next_run_at"], new: true }
