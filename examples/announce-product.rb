# Announces a product on all connected social accounts tomorrow at nine, with its first picture, within the limits of each platform.
# What does not fit is left out and said why. A second run finds the post that is planned already.
product = get("/products", query: "Field Guide", status: "active", limit: 1)["data"].first
return "No active product is called something with Field Guide." if product.nil?

planned = list("/social_posts", status: "scheduled", metadata: { product: product["id"] }).first
return { planned: planned["scheduled_at"], new: false } if planned

accounts = list("/social_accounts", status: "connected").to_a
return "No social account is connected." if accounts.empty?

tomorrow = Time.now.utc + 24 * 60 * 60
draft = {
  content: "#{product["name"]}: #{product["description"]}",
  link_url: product["url"],
  media: product["media_gallery"].first(1).map { |file| file["id"] },
  social_accounts: accounts.map { |account| account["id"] },
  scheduled_at: Time.utc(tomorrow.year, tomorrow.month, tomorrow.day, 9).iso8601
}

fitting, others = post("/social_posts/validate", **draft)["results"].partition { |result| result["valid"] }
left_out = others.to_h { |result| [result["platform"], result["errors"]] }
return { left_out: left_out } if fitting.empty?

accounts = fitting.map { |result| result["social_account"] }
made = post("/social_posts", **draft, social_accounts: accounts, metadata: { product: product["id"] })
{ planned: made["scheduled_at"], on: fitting.map { |result| result["platform"] }, left_out: left_out, new: true }
