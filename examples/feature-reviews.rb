# Puts the best review with words first on each active product, and says how the products are liked.
get("/products", status: "active", limit: 100)["data"].map do |product|
  reviews = get("/reviews", product: product["id"], limit: 100)["data"]
  best = reviews.select { |review| review["content"] && review["published"] }.max_by { |review| review["rating"] }
  post("/reviews/#{best["id"]}/position", position: 1) if best && best["position"] != 1
  { product: product["name"], rating: product["average_rating"], reviews: reviews.size, first: best && best["content"] }
end
