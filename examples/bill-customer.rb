# Bills a customer for a workshop, to be paid within 14 days. The bill goes out by e-mail with the page where it is paid; a
# second run shows the bill that is still unpaid.
email = "grace@example-works.com"
workshop = get("/products", query: "Earl Grey", status: "active", limit: 1)["data"].first
return "No active product is called something with Earl Grey." if workshop.nil?

price = workshop["price_variants"].find { |one| one["amount_type"] == "fixed" }
customer = get("/customers", email: email)["data"].first
unpaid = customer ? list("/invoices", customer: customer["id"], status: ["open", "past_due"]).to_a : []
bill = unpaid.find { |one| one["price_variant"] == price["id"] }
new = bill.nil?
bill ||= post("/invoices",
  price_variant: price["id"],
  quantity: 4,
  email_address: email,
  customer_name: "Grace Hopper",
  description: "Tasting for four on Saturday",
  due_at: (Time.now.utc + 14 * 24 * 60 * 60).iso8601)

{ number: bill["number"], amount: bill["amount"], pay_at: bill["payment_url"], due: bill["due_at"], new: new }
