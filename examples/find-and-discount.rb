# Finds a product by a word of its name and gives it a code for the weekend, or shows the code that it already has.
word = "rooibos"
percent = 20

product = get("/products", query: word, status: "active", limit: 1)["data"].first
return "No active product is called something with #{word}." if product.nil?

code = "WEEKEND#{percent}"
existing = get("/discounts", code: code)["data"].first
discount = existing || post("/discounts",
  code: code,
  discount_type: "percent_off",
  percent_off: percent,
  duration: "once",
  applies_to_product_ids: [product["id"]],
  redeem_by: (Time.now.utc + 3 * 24 * 60 * 60).strftime("%Y-%m-%dT%H:%M:%SZ"))

{ product: product["name"], code: discount["code"], until: discount["redeem_by"], new: existing.nil? }
