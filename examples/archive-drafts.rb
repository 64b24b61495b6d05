# dry_run: true
# Archives every draft that has no price. Shows what it would do; without the first line it does it.
drafts = list("/products", status: "draft").to_a
idle = drafts.select { |draft| draft["price_variants"].empty? }
idle.each { |draft| patch("/products/#{draft["id"]}", status: "archived") }
{ archived: idle.map { |draft| draft["name"] }, kept: drafts.size - idle.size }
