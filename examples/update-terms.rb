# dry_run: true
# Adds a paragraph about holidays to the refund policy and publishes it. Shows the change; without the first line it is made.
paragraph = "<h2>Holidays</h2><p>What you buy in December can be sent back until 31 January.</p>"
page = get("/legal_pages/refund-policy")
return "The refund policy speaks of holidays already." if page["content"].include?("<h2>Holidays</h2>")

page = patch("/legal_pages/refund-policy", content: page["content"] + paragraph, published: true)
{ url: page["url"], published: page["published"] }
