# Maps a web site and makes a draft of each page of a product there that the shop does not have yet. Costs one credit.
# The map comes before the first write: it reaches outside, where nothing can be undone.
map = post("/web/map", url: "https://example.com", limit: 100)
return map["error"]["message"] if map["error"]

pages = map["categorized_urls"].fetch("products", [])
drafts = pages.filter_map do |page|
  slug = page.split("?").first.split("/").last.downcase.gsub(/[^a-z0-9]+/, "-").gsub(/^-|-$/, "")
  next if slug.empty? || !get("/products/#{slug}")["error"]

  post("/products", name: slug.split("-").map(&:capitalize).join(" "), slug: slug, metadata: { found_at: page })["slug"]
end
{ found: map["total_urls"], kinds: map["categorized_urls"].transform_values(&:size), drafts: drafts }
