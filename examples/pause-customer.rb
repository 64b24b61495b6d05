# Pauses every subscription of a customer until the first of a later month. What is ending already, or paused, is left alone.
email = "mara@example-works.com"
customer = get("/customers", email: email)["data"].first
return "No customer has the address #{email}." if customer.nil?

soon = Time.now.utc + 60 * 24 * 60 * 60
resumes_at = Time.utc(soon.year, soon.month, 1).iso8601
running = list("/subscriptions", customer: customer["id"], status: ["active", "trialing"]).reject { |one| one["canceled"] }
paused = running.map { |one| post("/subscriptions/#{one["id"]}/pause", resumes_at: resumes_at) }
{ paused: paused.map { |one| one["id"] }, until: resumes_at }
