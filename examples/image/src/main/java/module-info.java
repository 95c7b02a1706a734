/** An application that is a module. */
module com.example.image {
  requires org.postscrypt;
  requires jdk.httpserver;
}
