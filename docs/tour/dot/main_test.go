package main

func Example() {
	// show dot
	main()
	// end

	// Output: 32 <nil>
}
