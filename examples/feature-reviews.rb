# Puts the best review with words first on each active product, and says how the products are liked.
list("/products", status: "active").map do |product|
  reviews = list("/reviews", product: product["id"]).to_a
  best = reviews.select { |review| review["content"] && review["published"] }.max_by { |review| review["rating"] }
  post("/reviews/#{best["id"]}/position", position: 1) if best && best["position"] != 1
  { product: product["name"], rating: product["average_rating"], reviews: reviews.size, first: best && best["content"] }
end
