/* Print every event of one audience once and in order: cc follow.c -lzmq -o follow; ./follow PUB ROUTER AUDIENCE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static unsigned char journal[16];
static unsigned long long last; /* keep both with your data */
static char body[1 << 20];

/* Receive one message: its header in 24 bytes, its last frame in body; the number of frames, 0 after a while. */
static int receive(void *socket, unsigned char *header, int wait_ms) {
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    int frames = 0, more = 1, size;
    if (zmq_poll(&item, 1, wait_ms) < 1) return 0;
    for (size_t length = sizeof more; more; frames++) {
        size = zmq_recv(socket, body, sizeof body - 1, 0);
        if (size < 0 || size >= (int)sizeof body) exit(1);
        if (frames == 1) memcpy(header, body, 24);
        body[size] = 0;
        zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &length);
    }
    return frames;
}

static unsigned long long take(const unsigned char *header, int asked) {
    unsigned long long seq = 0;
    for (int i = 16; i < 24; i++) seq = seq << 8 | header[i];
    if (memcmp(journal, header, 16) != 0) {
        if (!asked) return 0; /* an old row may linger in PUB: only the ROUTER brings a new journal */
        memcpy(journal, header, 16), last = 0;
    }
    if (seq == last + 1 && strcmp(body, "{}") != 0) puts(body), fflush(stdout), last = seq;
    return seq;
}

/* Ask for what is missing, the last known row first: it proves the journal. The number of the last event. */
static unsigned long long fetch(void *router) {
    char question[80];
    unsigned char header[24];
    unsigned long long known = last, rows = 0, top;
    int frames;
    snprintf(question, sizeof question, "{\"id\":\"1\",\"after\":%llu,\"limit\":500}", known ? known - 1 : 0);
    zmq_send(router, question, strlen(question), 0);
    while ((frames = receive(router, header, 5000)) == 3) take(header, 1), rows++;
    if (frames != 1 || !strstr(body, "\"top\":")) fputs("no answer; start again\n", stderr), exit(1);
    top = strtoull(strstr(body, "\"top\":") + 6, NULL, 10);
    if (!rows && top < known) memset(journal, 0, 16), last = 0;
    return top;
}

int main(int count, char **said) {
    void *context = zmq_ctx_new(), *pub = zmq_socket(context, ZMQ_SUB), *router = zmq_socket(context, ZMQ_DEALER);
    unsigned char header[24];
    char topic[40];
    unsigned long long top, seq;
    if (count != 4) return fputs("follow PUB ROUTER AUDIENCE\n", stderr), 2;
    snprintf(topic, sizeof topic, "%s/", said[3]);
    zmq_setsockopt(pub, ZMQ_SUBSCRIBE, topic, strlen(topic));
    if (zmq_connect(pub, said[1]) || zmq_connect(router, said[2])) return fputs("no such address\n", stderr), 2;
    for (top = fetch(router);;) {
        while (last < top) top = fetch(router);
        if (receive(pub, header, 3000) != 3) {
            fputs("not live\n", stderr);
            continue;
        }
        seq = take(header, 0);
        if (seq == 0) top = fetch(router);
        else if (seq > top) top = seq;
    }
}
