# dry_run: true
# Archives every draft that has no price. Shows what it would do; without the first line it does it.
drafts = []
page = get("/products", status: "draft", limit: 100)
loop do
  drafts.concat(page["data"])
  break unless page["has_more"]
  page = get("/products", status: "draft", limit: 100, starting_after: page["data"].last["id"])
end

idle = drafts.select { |draft| draft["price_variants"].empty? }
idle.each { |draft| patch("/products/#{draft["id"]}", status: "archived") }
{ archived: idle.map { |draft| draft["name"] }, kept: drafts.size - idle.size }
